import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { NODE_ARGUMENTS } from '../src/supervise-app.js';

describe('the apps that takt start starts', () => {
  it('have the same bounds of memory as by npm run', () => {
    const { scripts }: { scripts: Record<'api' | 'worker', string> } = JSON.parse(
      readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
    );
    for (const name of ['api', 'worker'] as const) {
      expect(scripts[name]).to.equal(`node ${NODE_ARGUMENTS.join(' ')} apps/${name}/bin/takt-${name}.js`);
    }
  });
});
