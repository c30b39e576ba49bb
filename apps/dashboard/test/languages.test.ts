import { completion, opened } from '@takt/test-support';
import { languageSettings, languages, languageTag, translatedTexts } from '@takt/texts';
import { expect } from 'chai';
import { openTestDashboard, READS_ALL, type Signed } from './support/open-test-dashboard.js';

const PATHS = (bad: string) => [
  '/',
  '/?range=month',
  '/rejected',
  '/alarms',
  '/queues',
  '/import',
  `/rejected/event?id=${bad}`,
];

describe('the languages of the dashboard', function () {
  this.timeout(120_000);
  const test = opened(openTestDashboard);
  let operator: Signed;

  before(async () => {
    operator = await test.addPerson(['TEM-NO'], { roles: ['system-operator'], duties: READS_ALL });
    await test.reject([{ jobId: 'bad', data: completion(1, { runTime: -1 }) }]);
  });

  const get = (path: string, headers: Readonly<Record<string, string>>) =>
    test.ask('GET', path, { token: operator.token, headers });

  for (const language of languages.filter((one) => one !== 'eng')) {
    it(`include ${languageSettings[language].ownName} on every page, for a browser that prefers it`, async () => {
      const texts = translatedTexts[language].frame;
      for (const path of PATHS(test.idOf('bad'))) {
        const { status, text } = await get(path, { 'accept-language': `${languageTag(language)},en;q=0.5` });
        expect(status, path).to.equal(200);
        expect(text, path)
          .to.include(`<html lang="${languageTag(language)}"`)
          .and.to.include(`>${texts.signOut}<`);
        // Names of jobs are English in every language, and reasons that a program of 1.0.0 gave.
        const english = />(?:Operations|Queues|Sign out|Waiting|Events|Began|Last hour|Apply|Retry|Discard)</;
        expect(text.replace(/<a href="[^"]*\/language[^>]*>[^<]*/g, ''), path).not.to.match(english);
      }
      const { text } = await test.ask('GET', '/', { headers: { 'accept-language': languageTag(language) } });
      expect(text).to.include(`<h1>${texts.signIn}</h1>`);
    });
  }

  it('can be changed by a link that leads back to the same page', async () => {
    const { headers, status, location } = await get('/language?to=deu', {
      referer: `${test.origin}/rejected?text=a`,
    });
    expect([status, location]).to.deep.equal([303, '/rejected?text=a']);
    expect(headers.get('set-cookie')).to.match(
      /^takt_language=deu; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
    );
    const neighbour = test.origin.replace('127.0.0.1', '127.0.0.2');
    for (const referer of [
      ...['https://evil.example/a', `${test.origin}.evil.example/`, 'x'],
      `${neighbour}/rejected`,
    ]) {
      expect((await get('/language?to=deu', { referer })).location, referer).to.equal('/');
    }
    const unknown = await get('/language?to=xyz%0d%0aa', {});
    expect(unknown.headers.get('set-cookie')).to.include('takt_language=eng;');
    const cookie = `takt_session=${operator.token}; takt_language=deu`;
    const chosen = await test.ask('GET', '/queues', { headers: { cookie, 'accept-language': 'fr' } });
    expect(chosen.text).to.include('<h1>System</h1>');
  });
});
