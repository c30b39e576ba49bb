import { errorCatalogue } from '@takt/catalogue/errors';
import { escapeHtml } from '@takt/pages';
import { opened } from '@takt/test-support';
import { languages } from '@takt/texts';
import { expect } from 'chai';
import { fill, wordings } from '../../src/pages/words.js';
import { insertStructureVersions } from '../support/insert-rows.js';
import { SERVED_AT, serveApi } from '../support/serve-api.js';

const PATH = '/product/structure-versions/aggregated-production-times';
const MADE = 'NumberOfCompletedProductionWorkOrders';
const BEYOND_PLAN = '$filter=HoursOverPlan%20gt%200';

describe('The HTML page of a list', () => {
  const api = opened(serveApi);
  let headers: Readonly<Record<string, string>>;

  before(async () => {
    await insertStructureVersions(api.owner, [
      ...[1, 2, 3].map((id) => ({
        id,
        productName: 'Shaft',
        planned: { run: '9' },
        actual: { run: ['2', '3'] },
      })),
      { id: 4, productName: 'Wheel', planned: { run: '1' }, actual: { run: ['2', '3'] } },
    ]);
    headers = { authorization: `Bearer ${await api.createToken('TEM-NO')}` };
  });

  const ask = (query: string) => api.client.get(`${PATH}?$format=html&${query}`, headers);
  const nothingIn = (html: string) => /<p class="nothing">.*?<\/p>/s.exec(html)?.[0] ?? '';
  const addressIn = (html: string) =>
    (/href="([^"]*)"/.exec(html)?.[1] ?? '')
      .replaceAll('&amp;', '&')
      .replaceAll('&#39;', "'")
      .replace(SERVED_AT, '');

  for (const language of languages) {
    it(`names the filter of the form that hides all rows, and links to the page without that filter: ${language}`, async () => {
      const { texts } = wordings[language];
      const { status, text } = await ask(`$lang=${language}&search=shaft&${BEYOND_PLAN}`);
      const nothing = nothingIn(text);
      expect(status).to.equal(200);
      const filter = /<input type="checkbox"[^>]*> ([^<]+)</.exec(text)?.[1] ?? '';
      expect(filter).not.to.equal('');
      expect(nothing)
        .to.include(texts.nothingFound)
        .and.to.include(fill(texts.showWithout, filter, 3));
      const shown = await api.client.get(addressIn(nothing), headers);
      expect(/<table class="list.*/s.exec(shown.text)?.[0].match(/<tr><th scope="row">/g)).to.have.lengthOf(
        3,
      );
      expect(shown.text).to.include('value="shaft"');
    });
  }

  it('keeps all other parameters in the link without the filter, and states the number of rows there', async () => {
    const { text } = await ask(
      `${BEYOND_PLAN}%20and%20ProductName%20eq%20'Shaft'%20and%20${MADE}%20ge%200&$orderby=RunTime&$top=80`,
    );
    const nothing = nothingIn(text);
    expect(nothing).to.include('(3 found)');
    const { searchParams } = new URL(addressIn(nothing), SERVED_AT);
    expect(searchParams.get('$filter')).to.equal(`ProductName eq 'Shaft' and ${MADE} ge 0`);
    expect(searchParams.get('$orderby')).to.equal('RunTime');
  });

  it('says only that nothing was found if no filter of the form hides rows', async () => {
    for (const query of [
      `search=nothing&${BEYOND_PLAN}`,
      'search=nothing&$filter=',
      `$filter=HoursOverPlan%20gt%200%20or%20ProductName%20eq%20'x'&search=shaft`,
    ]) {
      const nothing = nothingIn((await ask(query)).text);
      expect(nothing, query).to.equal('<p class="nothing">Nothing found.</p>');
    }
  });

  for (const language of languages) {
    it(`says that a field of the form needs a number, and keeps the input: ${language}`, async () => {
      const { status, text } = await ask(
        `$lang=${language}&form=quick&search=sha&HoursOverPlan=0&${MADE}=abc%22&$filter=Revision%20eq%20'A'`,
      );
      expect(status).to.equal(400);
      const message = escapeHtml(errorCatalogue.noNumber.texts[language].replace('{0}', 'abc"'));
      expect(text).to.match(/<div class="refused" id="refused" role="alert">/);
      expect(text.split(message)).to.have.lengthOf(2);
      expect(text.indexOf(message)).to.be.below(text.indexOf('<details class="help">'));
      expect(text).to.match(
        new RegExp(
          `name="${MADE}" value="abc&quot;" size="5" aria-invalid="true" aria-describedby="refused"`,
        ),
      );
      expect(text)
        .to.include('name="search" value="sha"')
        .and.to.match(/name="HoursOverPlan"[^>]*checked/);
      expect(text.match(/id="refused"/g)).to.have.lengthOf(1);
      expect(text).to.include('<input type="hidden" name="$filter" value="Revision eq &#39;A&#39;"/>');
      expect(text).not.to.include('ge abc').and.not.to.include('class="marked"');
    });
  }

  it('accepts numbers with a decimal comma or point and with spaces around them, but no other text', async () => {
    for (const written of ['2', ' 2 ', '2,5', '2.5', '0', '1,000', '1.000,5', '1 000', '12\u202f345']) {
      const answer = await ask(`form=quick&${MADE}=${encodeURIComponent(written)}`);
      expect(answer.status, written).to.equal(303);
      expect(
        (await api.client.get(answer.headers.location?.slice(SERVED_AT.length) ?? '', headers)).status,
      ).to.equal(200);
    }
    for (const written of ['-1', '1e3', '1 00', '1,0,0', '0x10', '٣', "1 or ProductName eq 'x'", 'null']) {
      expect((await ask(`form=quick&${MADE}=${encodeURIComponent(written)}`)).status, written).to.equal(400);
    }
    const state = await ask('form=quick&ProductStructureVersionStatus=abc');
    expect(state.text).to.include('role="alert"').and.to.include('“abc” is not a number from 0 up.');
  });

  it('reads a number in the way of the language, and names both meanings of one that can mean two', async () => {
    const conditionFor = async (language: string, written: string) => {
      const answer = await ask(`$lang=${language}&form=quick&${MADE}=${encodeURIComponent(written)}`);
      const { location } = answer.headers;
      return location === undefined ? answer.text : decodeURIComponent(location);
    };
    expect(await conditionFor('eng', '1,000')).to.include(`${MADE} ge 1000&`);
    expect(await conditionFor('deu', '1.000')).to.include(`${MADE} ge 1000&`);
    expect(await conditionFor('nob', '1.000')).to.include('Verdien «1.000» kan bety 1000 eller 1,000.');
    const expression = await ask(`$lang=eng&form=advanced&$filter=AverageRunTime%20gt%201,000`);
    expect(decodeURIComponent(expression.headers.location ?? '')).to.include('AverageRunTime gt 1000&');
  });

  it('tells screen readers the wrong field and the reason', async () => {
    for (const wrong of ['-1', 'abc']) {
      const { text } = await ask(`form=quick&search=shaft&${MADE}=${wrong}`);
      const [field = ''] = new RegExp(`<input[^>]*name="${MADE}"[^>]*>`).exec(text) ?? [];
      expect(field).to.include(`value="${wrong}"`).and.include('aria-invalid="true"');
      const [, described = ''] = /aria-describedby="([^"]*)"/.exec(field) ?? [];
      const [alert = ''] = new RegExp(`<div[^>]*id="${described}"[^>]*>.*?</div>`, 's').exec(text) ?? [];
      expect(alert).to.include('role="alert"').and.include(`“${wrong}” is not a number from 0 up.`);
    }
  });

  it('does not explain columns that are hidden from the reader', async () => {
    const operator = await api.createToken('TEM-NO', { duties: ['read-production-times'] });
    for (const language of languages) {
      const { overPlanHelp, ...texts } = wordings[language].texts;
      const unitHelp = fill(texts.unitHelp, texts.inHours);
      const html = (await ask(`$lang=${language}&view=all&$filter=`)).text;
      expect(html).to.include(`${unitHelp} ${overPlanHelp}`);
      const limited = { authorization: `Bearer ${operator}` };
      const { text } = await api.client.get(`${PATH}?$format=html&$lang=${language}`, limited);
      expect(text).to.include(unitHelp).and.not.to.include(overPlanHelp);
    }
  });
});
