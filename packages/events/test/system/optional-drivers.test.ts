import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

const INDEX = new URL('../../src/index.js', import.meta.url).href;

/** Runs a module in a process that can import neither driver. Returns the output of the process. */
function runWithoutDrivers(source: string): string {
  const hooks = `export async function resolve(name, context, next) {
    if (name === 'pg' || name === 'ioredis') throw new Error('there is no ' + name);
    return next(name, context);
  }`;
  const register = `import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));
    const events = await import(${JSON.stringify(INDEX)});`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', register + source],
    {
      encoding: 'utf8',
    },
  );
  return stdout + stderr;
}

describe('the drivers of Redis and PostgreSQL', () => {
  it('are not needed to validate an event', () => {
    expect(runWithoutDrivers('console.log(events.parseEvent(7).ok)')).to.equal('false\n');
  });

  it('are needed only if their store is used', () => {
    const open = (url: string) =>
      runWithoutDrivers(`await events.openPublisher('${url}').catch(({ message }) => console.log(message))`);
    expect(open('redis://127.0.0.1:1')).to.equal('there is no ioredis\n');
    expect(open('postgres://127.0.0.1:1/takt')).to.equal('there is no pg\n');
  });
});
