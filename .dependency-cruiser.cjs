/**
 * Import directions, checked on the compiled files: apps import packages, never each other; packages form layers
 * without cycles; events, settings, runtime and event-generator's base stand alone.
 */
const standAlone = ['events', 'settings', 'runtime', 'query-options', 'error-catalogue'];

/** The stages of a request of the API, in the order in which it passes them: none imports a later one. */
const requestStages = [
  ['read', 'service/read-request|access/'],
  ['resolve', 'query/(resolve-[^/]+|page-key\\.)'],
  ['plan', 'query/(plan|plan-columns|outline)\\.'],
  ['sql', 'query/([a-z]+-sql|statement-[a-z]+)'],
  ['run', 'query/(run-statement|page)\\.'],
  ['write', 'representations/|service/writing-context'],
  ['answer', 'service/(answer-[a-z]+|create-service)|start-api\\.|main\\.'],
];

const stagePath = (paths) => `^apps/api/(dist/)?src/(${paths})`;

const stagesImportNoLaterOne = requestStages.slice(0, -1).map(([name, paths], index) => ({
  name: `request-stage-${name}-imports-no-later-one`,
  severity: 'error',
  comment: 'A request is a pipeline: a stage is understood and tested without what comes after it.',
  from: { path: stagePath(paths) },
  to: { path: requestStages.slice(index + 1).map(([, later]) => stagePath(later)) },
}));

module.exports = {
  forbidden: [
    ...stagesImportNoLaterOne,
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'What imports each other cannot be understood, tested or replaced apart.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'apps-do-not-import-apps',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'packages-do-not-import-apps',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'stand-alone-packages',
      severity: 'error',
      comment: 'What a producer or another service installs must not pull the rest in.',
      from: { path: `^packages/(${standAlone.join('|')})/dist/src/` },
      to: { path: '^packages/', pathNot: '^packages/$1/' },
    },
    {
      name: 'production-does-not-import-tests',
      severity: 'error',
      from: { path: '^(apps/(worker|cli|api|dashboard)|packages/(?!test-support)[^/]+)/dist/src/' },
      to: { path: '/dist/test/|^packages/test-support/' },
    },
    {
      name: 'only-through-the-front-door',
      severity: 'error',
      comment: "Another package's inner files are not its interface.",
      from: { path: '^(apps|packages)/([^/]+)/' },
      to: {
        path: '^packages/[^/]+/dist/',
        pathNot: ['^packages/$2/', '^packages/[^/]+/dist/src/index\\.js$'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    includeOnly: '^(apps|packages)/[^/]+/dist/',
    exclude: { path: '\\.d\\.ts$' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
    cache: false,
  },
};
