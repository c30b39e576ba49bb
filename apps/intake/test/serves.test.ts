import { expect } from 'chai';
import { openTestIntake, STORES, type TestIntake } from './support/open-test-intake.js';

for (const store of STORES) {
  describe(`the intake with its queues in ${store}`, () => {
    let intake: TestIntake;
    before(async function () {
      intake = await openTestIntake(store, this);
    });
    after(() => intake?.close());

    const get = (path: string) => fetch(intake.origin + path);

    it('is live and ready, and serves its metrics', async () => {
      expect(await (await get('/health/live')).text()).to.equal('live\n');
      expect(await (await get('/health/ready')).text()).to.equal('ready\n');
      const metrics = await (await get('/metrics')).text();
      expect(metrics).to.include('takt_http_requests_total');
      expect(metrics).to.include('takt_schema_version');
    });

    it('lists its addresses at the path /', async () => {
      const answer = await get('/');
      expect(answer.status).to.equal(200);
      expect(await answer.json()).to.include({ events: '/events', openAPI: '/openapi.json' });
    });

    it('answers an unknown path with the error of the API, in the requested language', async () => {
      const answer = await get('/nothing?$lang=deu');
      expect(answer.status).to.equal(404);
      expect(answer.headers.get('content-language')).to.equal('de');
      const error = JSON.parse(await answer.text());
      expect(Object.keys(error)[0]).to.equal('hTTPStatusCode');
      expect(error.translatedMessage).to.match(/^Für GET \/nothing gibt es keine Ressource/);
      expect(error.errorMessage.errorMessageLink).to.equal(
        'https://takt.example/system/error-messages/100000',
      );
    });
  });
}
