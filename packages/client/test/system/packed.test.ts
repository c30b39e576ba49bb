import { readFile } from 'node:fs/promises';
import { inEmptyProject } from '@takt/test-support';
import { expect } from 'chai';
import { startTestService, type TestService } from '../support/test-service.js';

const TYPED_READING = new URL('../../../test/typed-reading.ts', import.meta.url);
const PAGE = new URL('../../../../../docs/client.md', import.meta.url);
const README = new URL('../../../README.md', import.meta.url);
const MAX_PACKED_BYTES = 40_000;

const PROGRAM = `
import { filter, openClient } from '@takt/client';
const takt = openClient({ baseUrl: process.env.API, token: process.env.TOKEN });
const page = await takt.list('/system/error-messages', { filter: filter\`HttpStatusCode eq \${404}\`, top: 3 });
process.stdout.write(JSON.stringify(page.ok ? page.items : page.error));
`;

/** Returns the TypeScript code blocks of a document, which together form one program. */
const blocksOf = (markdown: string) =>
  [...markdown.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block).join('\n');

describe('the installed client', function () {
  this.timeout(180_000);
  let service: TestService;

  before(async () => {
    service = await startTestService();
  });
  after(async () => await service?.close());

  it('is small, runs without dependencies, and has types for Node.js and for browsers', () =>
    inEmptyProject(['packages/client'], async (project) => {
      const [tarball = ''] = project.tarballs;
      expect((await readFile(`${project.folder}/${tarball}`)).length).to.be.below(MAX_PACKED_BYTES);
      // npm runs offline, so it can download nothing from the registry.
      const installed = await project.run(
        `npm install --offline --silent ./${tarball}; ls node_modules/@takt node_modules`,
      );
      expect(installed.stdout.split(/\s+/)).to.include('client').and.not.include('resources');
      await project.write('program.mjs', PROGRAM);
      const environment = { API: service.api.origin, TOKEN: service.token };
      const { code, stdout, stderr } = await project.run('node program.mjs', { environment });
      expect(code, stderr).to.equal(0);
      const { errorMessages } = await service.ask(
        '/system/error-messages?$filter=HttpStatusCode%20eq%20404&$top=3',
      );
      expect(JSON.parse(stdout)).to.deep.equal(errorMessages).and.have.lengthOf(3);

      await project.write('reading.ts', await readFile(TYPED_READING, 'utf8'));
      await project.write('reading.mts', blocksOf(await readFile(PAGE, 'utf8')));
      for (const types of [['node'], ['node', 'dom']] as const) {
        expect(await project.check(['reading.mts'], types), types.join()).to.equal('');
      }
      await project.write('readme.mts', blocksOf(await readFile(README, 'utf8')));
      expect(await project.check(['readme.mts'], ['node'])).to.equal('');
      for (const types of [['node'], ['dom'], ['node', 'dom']] as const) {
        expect(await project.check(['reading.ts'], types), types.join()).to.equal('');
      }
      const wrong = (await project.read('reading.ts')).replaceAll('// @ts-expect-error', '// wrong');
      await project.write('wrong.ts', wrong);
      const said = await project.check(['wrong.ts'], ['node']);
      const count = wrong.split('// wrong').length - 1;
      expect(said.match(/^wrong\.ts\(\d+,\d+\): error TS/gm))
        .to.have.lengthOf(count)
        .above(15);
    }));
});
