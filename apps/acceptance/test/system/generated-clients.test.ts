import { createAccessToken } from '@takt/access';
import { type AppProcess, startApp } from '@takt/database/testing';
import { migrateQueueSchema } from '@takt/events/internal';
import { leaveOut, mustLeaveNothingOut, wantsLongTests } from '@takt/test-support';
import { expect } from 'chai';
import { type Generators, openGenerators } from '../support/generators.js';
import { storeMasterData, structureVersion } from '../support/master-data.js';
import { LIST } from '../support/production-times.js';
import { openTestApi, type TestApi, TOKEN_LIFETIME_MS } from '../support/test-api.js';

const INSTALL_DEADLINE_MS = 320_000;

/** Programs in apps/acceptance/generators. Each of them reads data with the client of one generator. */
const programs = ['read-with-openapi-fetch', 'read-with-hey-api', 'read-with-orval'];

describe('programs that read the OpenAPI document', function () {
  this.timeout(180_000);
  let service: TestApi;
  let generators: Generators;
  let document: string;
  let intake: AppProcess;
  let intakeDocument: string;

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
    await migrateQueueSchema(service.databaseUrl);
    const { databaseUrl } = service;
    intake = await startApp('intake', { databaseUrl, queueUrl: databaseUrl });
    intakeDocument = await (await fetch(`${intake.origin}/openapi.json`)).text();
  });
  after(async () => {
    await intake?.stop();
    await service?.close();
  });

  it('accept the documents of the API and the intake: redocly and spectral report nothing', async () => {
    for (const one of [document, intakeDocument]) {
      expect(await generators.lint(one)).to.deep.equal({ redocly: [], spectral: [] });
    }
  });

  describe('generate clients that compile in strict mode and', () => {
    before(() => generators.generate(document, intakeDocument));

    for (const program of programs) {
      it(`read pages and an error: ${program}`, async () => {
        const read = await generators.run(program, service.api.origin, service.token);
        expect(read).to.deep.equal(await readPlainly());
      });
    }

    it('publish events, and read the errors of an invalid event', async () => {
      const request = { companyCodes: ['TEM-NO'], expiresInMs: TOKEN_LIFETIME_MS, mayPublish: true };
      const { token } = await createAccessToken(service.database, request);
      const told = await generators.run('publish-with-openapi-fetch', intake.origin, token);
      expect(told).to.deep.equal({ accepted: [1, 1], rejected: [[1, 100_401]] });
    });
  });

  /** Reads the same data as these programs, without a generated client. */
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
