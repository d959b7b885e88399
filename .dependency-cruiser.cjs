/** The rooms of the service, from the top floor down. A room imports from the floors below it, and from its own floor where that makes no circle. */
const FLOORS = [
  ['cli', 'orgdesk', 'commands', 'server'],
  ['app'],
  ['metrics', 'tracing'],
  ['features'],
  ['api'],
  ['auth'],
  ['http'],
  ['audit', 'import', 'backup'],
  ['entities', 'config'],
  ['embedded'],
  ['db'],
  ['lib'],
];

const below = (name, from, to) => ({ name, severity: 'error', from: { path: from }, to: { path: to } });

const noArrowUp = FLOORS.slice(1).map((rooms, at) =>
  below(
    `${rooms.join('-and-')}-import-nothing-above`,
    `^src/(${rooms.join('|')})/`,
    `^src/(${FLOORS.slice(0, at + 1)
      .flat()
      .join('|')})(/|\\.ts$)`,
  ),
);

module.exports = {
  forbidden: [
    ...noArrowUp,
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src', pathNot: '\\.(test|d)\\.ts$' },
      to: {},
    },
    {
      name: 'no-unlisted-packages',
      severity: 'error',
      from: {},
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
        // Types alone: their commands install them (`assets/own-packages.ts`).
        pathNot: '^(tools/node_modules/typescript/|playwright-core$)',
      },
    },
    below('tables-are-pure', '^src/import/tables', '^src/(?!import/tables|entities|lib)'),
    below('entities-are-pure', '^src/entities', '^src/(?!entities|lib)'),
    {
      name: 'a-folder-in-a-feature-is-private',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/([^/]+)/', pathNot: ['^src/features/$1/', '^src/features/[^/]+/[^/]+\\.ts$'] },
    },
    {
      name: 'metrics-and-traces-are-loaded-where-they-are-switched-on',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/(metrics|tracing)' },
      to: {
        path: '^src/(metrics/metrics|tracing/(open-tracing|request-spans|statement-spans))',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    below(
      'pages-use-the-contract-entities-lib-and-tables-alone',
      '^web/src',
      '^(src/(?!client/contract|entities|lib|import/tables)|test|bench)/',
    ),
    below('client-uses-nothing-of-the-service', '^src/client', '^src/(?!client)'),
    below('service-does-not-import-its-client', '^src/(?!client|commands/)', '^src/client'),
    below('service-does-not-import-pages', '^src', '^web/'),
    below('service-does-not-import-tests', '^src', '^(test|bench|assets)/'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Packages of their own, with packages of their own.
    exclude: { path: '^test/clients/(uses|generated|kubb)' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
