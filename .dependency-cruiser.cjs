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
    {
      name: 'no-dev-packages-in-service',
      severity: 'error',
      from: { path: '^src', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    below('lib-is-the-bottom', '^src/lib', '^src/(?!lib)'),
    below('db-uses-lib-alone', '^src/db', '^src/(?!db|lib)'),
    below('http-uses-db-and-lib', '^src/http', '^src/(?!http|db|lib)'),
    below('auth-uses-http-db-and-lib', '^src/auth', '^src/(?!auth|http|db|lib)'),
    below('features-stay-below-app', '^src/features', '^src/(?!features|auth|http|db|lib)'),
    {
      name: 'features-do-not-import-each-other',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    below('backup-uses-db-and-lib', '^src/backup', '^src/(?!backup|db|lib)'),
    below('import-uses-db-and-lib', '^src/import', '^src/(?!import|db|lib)'),
    below('metrics-use-auth-and-below', '^src/metrics', '^src/(?!metrics|auth|http|db|lib)'),
    below('tracing-uses-http-and-below', '^src/tracing', '^src/(?!tracing|http|db|lib)'),
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
    below('console-uses-auth-and-below', '^src/console', '^src/(?!console|auth|http|db|lib)'),
    below('pages-use-lib-alone', '^web/src', '^(src/(?!lib)|test|bench)/'),
    below('service-does-not-import-pages', '^src', '^web/'),
    below('nothing-imports-the-top', '^src/(?!main|cli)', '^src/(main|cli)'),
    below('service-does-not-import-tests', '^src', '^(test|bench)/'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // A package of its own, with packages of its own.
    exclude: { path: '^bench/peers' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
