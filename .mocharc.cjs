// The list of tests comes from the sources, not from dist: a deleted test does not run, and one that did not compile is
// reported. The build before each run takes a second if nothing changed, so tests never run on old output.
const { execFileSync } = require('node:child_process');
const { existsSync, readdirSync } = require('node:fs');
const { join, sep } = require('node:path');

const inFolder = (file, folder) => file.startsWith(folder.replaceAll('/', sep));

const isQuick = (file) => !inFolder(file, 'system/') && !inFolder(file, 'images/');

/**
 * The suites by the name in TAKT_TEST_SUITE: `npm test` runs quick, `npm run test:system` system and endurance. Those of
 * endurance run after the others, because they load both cores by themselves. `npm run test:images` needs an engine for
 * containers, `npm run test:cluster` a Citus cluster.
 */
const suites = {
  quick: isQuick,
  system: (file) => inFolder(file, 'system/') && !inFolder(file, 'system/endurance/'),
  endurance: (file) => inFolder(file, 'system/endurance/'),
  images: (file) => inFolder(file, 'images/'),
  // The figures, imports, rejections, and the tests of clusters.
  cluster: (file, workspace) =>
    (/(figures|import|rejections)$/.test(workspace) && isQuick(file)) || /cluster[\w-]*\.test/.test(file),
};
const suite = process.env.TAKT_TEST_SUITE || 'quick';
const isInSuite = suites[suite];
if (isInSuite === undefined) {
  throw new Error(`TAKT_TEST_SUITE is "${suite}"; it must be one of ${Object.keys(suites).join(', ')}`);
}

/** The workspaces to test: the current one, or all from the root. */
function workspaces() {
  if (process.cwd() !== __dirname) return [process.cwd()];
  return ['apps', 'packages'].flatMap((parent) =>
    readdirSync(join(__dirname, parent)).map((name) => join(__dirname, parent, name)),
  );
}

/** The compiled tests of a workspace that are in the suite, from the names of their sources. */
function testsOf(workspace) {
  if (!existsSync(join(workspace, 'test'))) return [];
  return readdirSync(join(workspace, 'test'), { recursive: true })
    .filter((file) => /\.test\.tsx?$/.test(file) && isInSuite(file, workspace))
    .map((file) => join(workspace, 'dist/test', file.replace(/\.tsx?$/, '.js')));
}

// Turborepo has built already.
if (process.env.TURBO_HASH === undefined) {
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: __dirname,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

// Mocha adds these to the files in its command line. Values of options, as in --jobs 2, are not files.
const isNamed = process.argv.slice(2).some((argument) => argument.endsWith('.js'));
module.exports = {
  spec: isNamed ? [] : workspaces().flatMap(testsOf),
  // Processes for --parallel, each with its own database server.
  jobs: 3,
  require: [join(__dirname, 'packages/test-support/dist/src/root-hooks.js')],
  // A guard against hanging tests, also on a busy machine.
  timeout: 180_000,
  forbidOnly: true,
  exit: true,
  'node-option': ['enable-source-maps'],
};
