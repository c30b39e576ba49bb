// What runs follows the sources and not what lies in dist: a deleted test is gone, one that did not compile is missed.
// The build before every run costs a second when nothing changed; there is no run on outputs of yesterday.
const { execFileSync } = require('node:child_process');
const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

/** What Mocha runs in: a workspace, or from the root all of them. */
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

// Turborepo begins when the build has ended.
if (process.env.TURBO_HASH === undefined) {
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: __dirname,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

// Mocha adds what stands here to the files that its command line names.
const isNamed = process.argv.slice(2).some((argument) => !argument.startsWith('-'));
module.exports = {
  spec: isNamed ? [] : workspaces().flatMap(testsOf),
  // For --parallel: processes that take one file after the other, each with a database server of its own.
  jobs: 3,
  require: [join(__dirname, 'packages/test-support/dist/src/root-hooks.js')],
  // What takes longer hangs, also on a machine that has much else to do.
  timeout: 180_000,
  forbidOnly: true,
  exit: true,
  'node-option': ['enable-source-maps'],
};
