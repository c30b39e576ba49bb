import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';

const ROOT = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

describe('the checks of every change', () => {
  const workflow = parse(read('.github/workflows/ci.yml'));
  const own = /next_node=\$\{TAKT_CI_NEXT_NODE-(\d+\.\d+)\.\d+\}/.exec(read('.ci/run'))?.[1];

  it('run .ci/run once on the oldest supported Node.js, and once on the Node.js of the images', () => {
    const { steps, strategy, container, env } = workflow.jobs.test;
    expect(steps.at(-1)).to.deep.equal({ run: '.ci/run' });
    const [oldest, newest] = strategy.matrix.node;
    const { engines } = JSON.parse(read('package.json'));
    expect(oldest.split('.')[0]).to.equal(/^>=(\d+)/.exec(engines.node)?.[1]);
    expect(read('docker/Dockerfile')).to.include(`ARG NODE_VERSION=${newest}.`);
    expect(own).to.equal(newest);
    expect(container.image).to.equal(`node:\${{ matrix.node }}-bookworm`);
    expect(env).to.deep.equal({ TAKT_CI_NEXT_NODE: '' });
  });

  it('start compose.yaml with all its secrets', () => {
    const { secrets } = parse(read('docker/compose.yaml'));
    const commands = workflow.jobs.images.steps.map(({ run }: { readonly run?: string }) => run);
    expect(commands).to.include('npm run test:images');
    const names = /^names='([\w ]+)'$/m.exec(read('docker/secrets.sh'))?.[1];
    expect(names?.split(' ')).to.have.members(Object.keys(secrets));
  });

  it('exclude no unused package from automatic updates', () => {
    const updates: readonly Update[] = parse(read('.github/dependabot.yml')).updates;
    const manifests = [
      '',
      ...['apps', 'packages'].flatMap((parent) =>
        readdirSync(new URL(parent, ROOT)).map((name) => `${parent}/${name}/`),
      ),
    ];
    const used = manifests.flatMap((path) => {
      const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read(`${path}package.json`));
      return Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
    });
    const [npm] = updates;
    expect(npm?.['package-ecosystem']).to.equal('npm');
    for (const { 'dependency-name': pattern } of npm?.ignore ?? []) {
      const [scope = '', rest] = pattern.split('*');
      const isMet = used.some((name) => (rest === undefined ? name === pattern : name.startsWith(scope)));
      expect(isMet, pattern).to.equal(true);
    }
  });
});

interface Update {
  readonly 'package-ecosystem': string;
  readonly ignore?: readonly { readonly 'dependency-name': string }[];
}
