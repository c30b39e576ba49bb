import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { describePanel } from '../src/panel.js';

describe('the panel of takt start', () => {
  const running = {
    ...{ pid: 1, isEmbedded: true, apiUrl: 'http://127.0.0.1:3000', pagesUrl: 'http://127.0.0.1:3000' },
    ...{ dashboardUrl: 'http://127.0.0.1:3001', intakeUrl: 'http://127.0.0.1:3003' },
  };
  const home = "/srv/it's here";
  const facts = {
    ...{
      running,
      opening: { page: 'sign-in', url: 'http://127.0.0.1:3000/' } as const,
      chosenHome: home,
      scriptPath: `${home}/demo-publish.sh`,
    },
    operator: { pid: 1002, secretsPath: `${home}/demo-access` },
  };

  it('prints commands that a shell runs as meant, even with a space and a quote in TAKT_HOME', () => {
    const lines = describePanel(facts, 'Ctrl-C stops it.', 200);
    const commandIn = (label: string) =>
      lines
        .map((line) => line.trim())
        .find((line) => line.startsWith(label))
        ?.slice(label.length)
        .trim() ?? '';
    const again = commandIn('this again').replace('npx takt info', 'printenv TAKT_HOME');
    expect(execFileSync('sh', ['-c', again], { encoding: 'utf8' })).to.equal(`${home}\n`);
    const [publish = ''] = commandIn('publish').split('  (');
    const shown = execFileSync('sh', ['-c', publish.replace(/^sh /, 'printf %s ')], { encoding: 'utf8' });
    expect(shown).to.equal(`${home}/demo-publish.sh`);
  });

  it('has at most the columns of the terminal, and shows the log-in of the dashboard where it fits', () => {
    for (const columns of [60, 80, 120, 200]) {
      const lines = describePanel({ ...facts, chosenHome: '/srv/takt' }, 'Ctrl-C stops it.', columns);
      const dashboard = lines.find((line) => line.includes('dashboard')) ?? '';
      expect(dashboard.length, dashboard).to.be.at.most(columns);
      expect(dashboard.includes('PID 1002'), dashboard).to.equal(columns >= 80);
    }
  });
});
