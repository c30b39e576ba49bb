import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { APP_PROCESSES } from '../src/start-apps.js';

describe('the apps that takt start starts', () => {
  it('have the same bounds of memory as by npm run', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
    );
    for (const { name, nodeArguments } of APP_PROCESSES) {
      const app = name.toLowerCase();
      expect(scripts[app]).to.equal(`node ${nodeArguments.join(' ')} apps/${app}/bin/takt-${app}.js`);
    }
  });
});
