import { type EmptyProject, inEmptyProject, parseXml, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { type DemoSystem, startDemoSystem } from '../support/demo-system.js';
import {
  blocksOf,
  paragraphsOf,
  provideTakt,
  readDocument,
  runParagraphs,
  sectionOf,
} from '../support/examples.js';
import {
  combinationsOf,
  exampleDocumentOf,
  examplePathOf,
  type OpenApiDocument,
  type Operation,
  type Query,
  queryExamplesOf,
  readingsOf,
  shapeOf,
} from '../support/open-api-document.js';
import {
  askForToken,
  askWhoIAm,
  clientProgram,
  expectAll,
  lookAround,
  readAnError,
  readFigures,
  readLists,
  rowsIn,
} from '../support/reading-checks.js';

const CREATE_TOKEN = 'npx takt token create --database TEM-NO';

const linesOf = (block = ''): readonly string[] => block.trim().split('\n');

describe('the documented examples', function () {
  this.timeout(600_000);
  let demo: DemoSystem;
  let [readme, reading] = ['', ''];

  before(async () => {
    [readme, reading] = [await readDocument('README.md'), await readDocument('docs/reading.md')];
    demo = await startDemoSystem();
  });
  after(async () => await demo?.close());

  const inProject = (use: (project: EmptyProject) => Promise<void>) =>
    inEmptyProject([], async (project) => {
      await provideTakt(project);
      await use(project);
    });
  const read = (address: string, token: string) =>
    fetch(address, { headers: { authorization: `Bearer ${token}` } });

  it('run if they are in the section Look around of the README', () =>
    inProject(async (project) => {
      const [block] = blocksOf(sectionOf(readme, 'Look around'), 'sh');
      await expectAll(await runParagraphs(project, demo, linesOf(block)), lookAround, project);
    }));

  it('return the described output if they are in the section Read figures of the README', () =>
    inProject(async (project) => {
      const [block = ''] = blocksOf(sectionOf(readme, 'Read figures'), 'sh');
      await expectAll(await runParagraphs(project, demo, paragraphsOf(block)), readFigures, project);
    }));

  it('return the described output in sequence if they are the curl commands in reading.md', () =>
    inProject(async (project) => {
      const [token = ''] = blocksOf(sectionOf(reading, 'Every request needs a token'), 'sh');
      const others = ['Lists', 'Errors say what to do'].flatMap((heading) =>
        blocksOf(sectionOf(reading, heading), 'sh'),
      );
      const outputs = await runParagraphs(project, demo, [token, ...others].flatMap(paragraphsOf));
      await expectAll(outputs, [...askWhoIAm, ...readLists, ...readAnError], project);
    }));

  it('register a program and a person with working tokens if they are in reading.md', () =>
    inProject(async (project) => {
      const [, block] = blocksOf(sectionOf(reading, 'Every request needs a token'), 'sh');
      const [register = '', ...others] = linesOf(block);
      const [registered = ''] = await runParagraphs(project, demo, [register]);
      const environment = { API: demo.api, SECRET: /^secret (\S+)$/m.exec(registered)?.[1] ?? '' };
      const outputs = await runParagraphs(project, demo, others, environment);
      await expectAll(outputs, askForToken, project);
      const { access_token: token } = JSON.parse(outputs[1] ?? '');
      const answer = await read(`${demo.api}/product/structure-versions/aggregated-production-times`, token);
      expect(rowsIn(await answer.text())).to.have.lengthOf(10);
    }));

  it('change a figure and show errors if they publish with curl', () =>
    inProject(async (project) => {
      const madeOf = async (id: number) => {
        const [token = ''] = await runParagraphs(project, demo, [CREATE_TOKEN]);
        const path = `/product/structure-versions/${id}/aggregated-production-times`;
        const { aggregatedProductionTimes } = Object(
          Object.values(JSON.parse(await (await read(`${demo.api}${path}`, token.trim())).text()))[0],
        );
        return Number(aggregatedProductionTimes.numberOfCompletedProductionWorkOrders);
      };
      const [block = ''] = blocksOf(sectionOf(readme, 'Publish events'), 'sh');
      const [faulty = ''] = blocksOf(sectionOf(await readDocument('docs/publishing.md'), 'Over HTTP'), 'sh');
      const before = await madeOf(100_001);
      const [, accepted = ''] = await runParagraphs(project, demo, paragraphsOf(block));
      const [, refused = ''] = await runParagraphs(project, demo, paragraphsOf(faulty));
      expect(JSON.parse(accepted)).to.deep.equal({ accepted: 1, rejected: [] });
      const { hTTPStatusCode, innerErrors } = JSON.parse(refused);
      expect(hTTPStatusCode).to.equal('400');
      expect(innerErrors).to.have.length.above(5);
      expect(innerErrors[0].translatedMessage).to.match(/^Ereignis 0: /);
      await waitUntil('the event counts', async () => (await madeOf(100_001)) === before + 1);
    }));

  it('compile and run if they are in client.md and only the client is installed', () =>
    inEmptyProject(['packages/client'], async (project) => {
      const text = await readDocument('docs/client.md');
      const [install = ''] = blocksOf(text, 'sh');
      expect(await project.run(install)).to.include({ code: 0 });
      await provideTakt(project);
      await project.write('reading.mts', blocksOf(text, 'ts').join('\n'));
      expect(await project.check(['reading.mts'], ['node'])).to.equal('');
      // The program contains no types, so it also runs as JavaScript.
      const run = `export TAKT_TOKEN=$(${CREATE_TOKEN})\ncp reading.mts reading.mjs\nnode reading.mjs`;
      const [output = ''] = await runParagraphs(project, demo, [run], { TAKT_API: demo.api });
      await expectAll(linesOf(output), clientProgram, project);
      expect(await project.read('products.csv')).to.match(/^\uFEFFProductId;/);
    }));

  describe('in the OpenAPI document', () => {
    let document: OpenApiDocument;
    let token: string;

    before(async () => {
      document = JSON.parse(await (await fetch(`${demo.api}/openapi.json`)).text());
      await inProject(async (project) => {
        [token = ''] = (await runParagraphs(project, demo, [CREATE_TOKEN])).map((output) => output.trim());
      });
    });

    const ask = (path: string, operation: Operation, query: Query) =>
      read(`${demo.api}${examplePathOf(path, operation)}?${new URLSearchParams(query)}`, token);

    /**
     * Returns required parameters that the API accepts. Expects the API to accept each of their examples in some
     * combination.
     */
    const neededBy = async (path: string, operation: Operation): Promise<Query> => {
      const examples = queryExamplesOf(operation, 'required');
      const taken: Query[] = [];
      for (const query of combinationsOf(examples)) {
        if ((await ask(path, operation, query)).ok) taken.push(query);
      }
      for (const [name, value] of examples.flat().flatMap((query) => Object.entries(query))) {
        expect(
          taken.map((query) => query[name]),
          `${name} of ${path}`,
        ).to.include(value);
      }
      expect(taken, path).to.have.length.above(0);
      return taken[0] ?? {};
    };

    it('run unchanged and find data; each resource has one example', () =>
      inProject(async (project) => {
        const [setting = '', requests = ''] = blocksOf(document.info.description, '');
        const examples = paragraphsOf(requests);
        const [, ...outputs] = await runParagraphs(project, demo, [setting, ...examples]);
        const resources = readingsOf(document).filter(([, get]) => 'x-resource-id' in get);
        expect(outputs).to.have.lengthOf(resources.length).above(15);
        for (const [index, output] of outputs.entries()) {
          if (output.trim().startsWith('<')) {
            expect(parseXml(output).name, examples[index]).to.not.equal('Error');
          } else {
            expect(rowsIn(output), examples[index]).to.have.length.above(0);
          }
        }
      }));

    it('have working links', async () => {
      const links = [...document.info.description.matchAll(/\]\((http[^)]+)\)/g)].map(
        ([, link = '']) => link,
      );
      expect(links).to.have.length.above(3);
      for (const link of links) expect((await fetch(link)).status, link).to.equal(200);
    });

    it('are valid values of parameters, and find data if they are filters', async () => {
      let count = 0;
      for (const [path, get] of readingsOf(document)) {
        const needed = await neededBy(path, get);
        for (const query of queryExamplesOf(get, 'optional').flat()) {
          const answer = await ask(path, get, { ...needed, ...query });
          const text = await answer.text();
          expect(answer.status, `${path} ${JSON.stringify(query)}: ${text}`).to.equal(200);
          if ('$filter' in query) expect(rowsIn(text), query['$filter']).to.have.length.above(0);
          count += 1;
        }
      }
      expect(count).to.be.above(60);
    });

    it('have the structure of the real answers if they are documents', async () => {
      let count = 0;
      for (const [path, get] of readingsOf(document)) {
        const example = exampleDocumentOf(get);
        if (example === undefined) continue;
        const answer = await ask(path, get, await neededBy(path, get));
        const served: unknown = JSON.parse(await answer.text());
        expect(shapeOf(example, served), path).to.deep.equal(shapeOf(served));
        count += 1;
      }
      expect(count).to.be.above(15);
    });
  });
});
