/** The layers of the service: each rule names what a room may not reach. Arrows point down only. */
const below = (name, from, to) => ({ name, severity: 'error', from: { path: from }, to: { path: to } });

module.exports = {
  forbidden: [
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
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
    },
    below('lib-is-the-bottom', '^src/lib', '^src/(?!lib)'),
    below('data-folder-uses-lib-alone', '^src/data-folder', '^src/(?!data-folder|lib)'),
    below('db-uses-the-data-folder-and-lib', '^src/db', '^src/(?!db|data-folder|lib)'),
    below('domain-describes-and-knows-no-driver', '^src/domain', '^src/(?!domain|db/|lib)|^src/db/(postgres|pglite)'),
    below('config-uses-domain-and-lib-alone', '^src/config', '^src/(?!config|domain|lib)'),
    below('http-uses-domain-and-below', '^src/http', '^src/(?!http|domain|db|data-folder|lib)'),
    below('auth-uses-http-and-below', '^src/auth', '^src/(?!auth|http|domain|db|data-folder|lib)'),
    below(
      'operations-use-auth-and-below',
      '^src/operations',
      '^src/(?!operations|auth|http|domain|db|data-folder|lib)',
    ),
    below(
      'administration-uses-operations-and-below',
      '^src/administration',
      '^src/(?!administration|operations|auth|http|domain|db|data-folder|lib)',
    ),
    below('feed-uses-http-and-below', '^src/feed', '^src/(?!feed|http|domain|db|data-folder|lib)'),
    below(
      'features-stay-below-app',
      '^src/features',
      '^src/(?!features|feed|administration|operations|auth|http|domain|db|data-folder|lib)',
    ),
    {
      name: 'features-do-not-import-each-other',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    below('backup-uses-domain-and-below', '^src/backup', '^src/(?!backup|domain|db|data-folder|lib)'),
    below('import-uses-domain-and-below', '^src/import', '^src/(?!import|domain|db|data-folder|lib)'),
    below('metrics-use-auth-and-below', '^src/metrics', '^src/(?!metrics|auth|http|domain|db|data-folder|lib)'),
    below('tracing-uses-http-and-below', '^src/tracing', '^src/(?!tracing|http|domain|db|data-folder|lib)'),
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
      'console-uses-auth-and-below',
      '^src/console',
      '^src/(?!console|operations|auth|http|domain|db|data-folder|lib)',
    ),
    below(
      'pages-use-the-contract-domain-and-lib-alone',
      '^web/src',
      '^(src/(?!client/contract|domain|lib)|test|bench)/',
    ),
    below('client-uses-nothing-of-the-service', '^src/client', '^src/(?!client)'),
    below('service-does-not-import-its-client', '^src/(?!client)', '^src/client'),
    below('service-does-not-import-pages', '^src', '^web/'),
    below('nothing-imports-the-top', '^src/(?!cli|commands|server)', '^src/(cli|commands|server)'),
    below('service-does-not-import-tests', '^src', '^(test|bench|assets)/'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Packages of their own, with packages of their own.
    exclude: { path: '^(bench/peers|test/clients/(uses|generated))' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
