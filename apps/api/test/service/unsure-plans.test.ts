import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { insertStructureVersions } from '../support/insert-rows.js';
import { SERVED_AT, serveApi } from '../support/serve-api.js';

const PLANS = '/product/structure-versions/plan-suggestions';

const times = (one: string, other: string) =>
  Array.from({ length: 22 }, (_, index) => (index % 2 === 0 ? one : other));

describe('The HTML page of plan suggestions', () => {
  const api = opened(serveApi);
  let token: string;
  before(async () => {
    const planned = { run: '1.000000' };
    await insertStructureVersions(api.owner, [
      { id: 1, productName: 'Slow', planned, actual: { run: times('1.4', '1.6') } },
      { id: 2, productName: 'Fast', planned, actual: { run: times('0.4', '0.6') } },
      { id: 3, productName: 'Scattered', planned, actual: { run: times('0', '3.2') } },
      { id: 4, productName: 'Scattered too', planned, actual: { run: times('0', '1.6') } },
    ]);
    token = await api.createToken('TEM-NO');
  });

  const pageAt = async (target: string) =>
    (await api.client.get(target, { authorization: `Bearer ${token}`, accept: 'text/html' })).text;
  const namesIn = (html: string) =>
    ['Slow', 'Fast', 'Scattered', 'Scattered too'].filter((name) => html.includes(`>${name}<`));

  it('shows only plans that are certainly too short, and links to the uncertain plans', async () => {
    const view = `${PLANS}?$filter=Verdict%20eq%20%27over%27&$orderby=HoursOverPlan%20desc`;
    const html = await pageAt(view);
    expect(namesIn(html)).to.deep.equal(['Slow']);
    const [, address = '', text] = /<a href="([^"]*)">(2 others are 10 [^<]*)</.exec(html) ?? [];
    expect(text).to.equal(
      '2 others are 10 % or more too short or too long, but unsure: chance can explain it.',
    );
    const unsure = await pageAt(
      address.replaceAll('&amp;', '&').replaceAll('&#39;', "'").slice(SERVED_AT.length),
    );
    expect(namesIn(unsure)).to.deep.equal(['Scattered', 'Scattered too']);
    expect(unsure).not.to.include('others are');
  });

  it('leaves out uncertain plans from the count if another condition of the filter excludes them', async () => {
    const filter = encodeURIComponent("Verdict eq 'over' and ProductName eq 'Slow'");
    expect(await pageAt(`${PLANS}?$filter=${filter}`)).not.to.include('others are');
  });
});
