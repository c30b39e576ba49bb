// The list of tests comes from the sources, not from dist: a deleted test does not run, and one that did not compile is
// reported. The build before each run takes a second if nothing changed, so tests never run on old output.
const { execFileSync } = require('node:child_process');
const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

/** The workspaces to test: the current one, or all from the root. */
function workspaces() {
  if (process.cwd() !== __dirname) return [process.cwd()];
  return ['apps', 'packages'].flatMap((parent) =>
    readdirSync(join(__dirname, parent)).map((name) => join(__dirname, parent, name)),
  );
}

/** The compiled tests of a workspace, from the names of their sources; endurance has a command of its own. */
function testsOf(workspace) {
  if (!existsSync(join(workspace, 'test'))) return [];
  return readdirSync(join(workspace, 'test'), { recursive: true })
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.startsWith('endurance/'))
    .map((file) => join(workspace, 'dist/test', file.replace(/\.tsx?$/, '.js')));
}

// Turborepo has built already.
if (process.env.TURBO_HASH === undefined) {
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: __dirname,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

// Mocha adds these to the files in its command line.
const isNamed = process.argv.slice(2).some((argument) => !argument.startsWith('-'));
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
