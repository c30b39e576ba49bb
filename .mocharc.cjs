// What runs follows the sources and not what lies in dist: a deleted test is gone, one that did not compile is missed.
// The build before every run costs a second when nothing changed; there is no run on outputs of yesterday.
const { execFileSync } = require('node:child_process');
const { existsSync, readdirSync } = require('node:fs');
const { availableParallelism } = require('node:os');

/** The compiled tests of all workspaces of a folder, from the names of their sources; endurance has a command of its own. */
function testsOf(folder) {
  return readdirSync(folder)
    .filter((workspace) => existsSync(`${folder}/${workspace}/test`))
    .flatMap((workspace) =>
      readdirSync(`${folder}/${workspace}/test`, { recursive: true })
        .filter((file) => /\.test\.tsx?$/.test(file) && !file.startsWith('endurance/'))
        .map((file) => `${folder}/${workspace}/dist/test/${file.replace(/\.tsx?$/, '.js')}`),
    );
}

execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'inherit', 'inherit'] });

// Mocha adds what stands here to the files that its command line names.
const isNamed = process.argv.slice(2).some((argument) => !argument.startsWith('-'));
module.exports = {
  spec: isNamed ? [] : ['apps', 'packages'].flatMap(testsOf),
  // For --parallel, as npm test has it: processes that take one file after the other, each with a database server of its own.
  // More of them than processors: they wait for something nearly half of their time.
  jobs: Math.min(3, availableParallelism() + 1),
  require: ['./packages/test-support/dist/src/root-hooks.js'],
  // What takes longer hangs, also on a machine that has much else to do.
  timeout: 180_000,
  forbidOnly: true,
  exit: true,
  'node-option': ['enable-source-maps'],
};
