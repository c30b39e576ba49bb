import { leaveOut, mustLeaveNothingOut, wantsLongTests } from '@takt/test-support';
import { expect } from 'chai';
import { type Generators, openGenerators } from './support/generators.js';
import { storeMasterData, structureVersion } from './support/master-data.js';
import { LIST } from './support/production-times.js';
import { openTestApi, type TestApi } from './support/test-api.js';

const INSTALL_DEADLINE_MS = 320_000;

/** The programs of apps/acceptance/generators, one for each generator. */
const programs = ['read-with-openapi-fetch', 'read-with-hey-api', 'read-with-orval'];

describe('programs that are given the OpenAPI document', function () {
  this.timeout(180_000);
  let service: TestApi;
  let generators: Generators;
  let document: string;

  before(async function () {
    this.timeout(INSTALL_DEADLINE_MS);
    if (!mustLeaveNothingOut() && !wantsLongTests()) {
      leaveOut(this, 'this installs 430 packages first: TAKT_REQUIRE_ALL=1 asks for it');
    }
    try {
      generators = await openGenerators();
    } catch (error) {
      leaveOut(
        this,
        `the generators of clients cannot be installed (npm ci): ${String(error).slice(0, 300)}`,
      );
    }
    service = await openTestApi({ companies: ['TEM-NO'] });
    await storeMasterData(
      service,
      Array.from({ length: 12 }, (_, index) => structureVersion('TEM-NO', 1 + index)),
    );
    document = (await service.client.get('/openapi.json')).text;
  });
  after(async () => await service?.close());

  it('redocly and spectral find nothing to say about it', async () => {
    expect(await generators.lint(document)).to.deep.equal({ redocly: [], spectral: [] });
  });

  describe('generated clients, compiled under strict,', () => {
    before(() => generators.generate(document));

    for (const program of programs) {
      it(`read pages and an error: ${program}`, async () => {
        const read = await generators.read(program, service.api.origin, service.token);
        expect(read).to.deep.equal(await readPlainly());
      });
    }
  });

  /** The same without a generator. */
  async function readPlainly(): Promise<object> {
    const ask = async (target: string) => JSON.parse((await service.client.get(target)).text);
    const query = '$top=3&$orderby=ProductName%20desc&$lang=nob&$showDomainDescriptions=true';
    const { productStructureVersionAggregatedProductionTimes: rows, paging } = await ask(`${LIST}?${query}`);
    const { errorMessages } = await ask('/system/error-messages?$top=$max');
    const { hTTPStatusCode, message } = await ask('/system/error-messages/999999');
    return {
      rows: rows.map(({ productStructureVersion: version, plannedProductionTimes: planned }: Row) => [
        version.productStructureVersionId,
        version.name,
        'aktiv',
        planned.processing.runTime,
      ]),
      nextPage: paging.nextPage,
      messages: errorMessages.map((one: ListedMessage) => [one.errorMessageId, one.message]),
      error: [hTTPStatusCode, message],
    };
  }
});

interface Row {
  readonly productStructureVersion: { readonly productStructureVersionId: number; readonly name: string };
  readonly plannedProductionTimes: { readonly processing: { readonly runTime: number } };
}

interface ListedMessage {
  readonly errorMessageId: number;
  readonly message: string;
}
