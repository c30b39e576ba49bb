import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { insertMonths, insertStructureVersions } from '../support/insert-rows.js';
import { OTHER_COMPANY } from '../support/open-test-api.js';
import { SERVED_AT, serveApi } from '../support/serve-api.js';

const NAMES = [
  ...[
    'Brake Disc',
    'Drive Shaft',
    'Guide Rail',
    'Control Cabinet',
    'Motor Foot',
    'Cable Drum',
    'Hinge Plate',
  ],
  ...['Gear Housing', 'Piston Rod', 'Impeller', 'Winch Frame', 'Coupling Half', 'Mounting Bracket'],
  ...['Heat Exchanger Plate', 'Pump Cover', 'Bearing Cap', 'Rotor Hub', 'Cylinder Liner', 'Clamp Jaw'],
  ...['Filter Bowl', 'Nozzle Ring', 'Lifting Eye', 'Valve Body', 'Sensor Holder'],
  ...[
    'Zahnräder 40',
    'Zahnriemen 12',
    'Getriebegehäuse',
    'Kühlmittelpumpe',
    'Wälzlager 6204',
    'Flanschbüchse',
  ],
  ...[
    'Støpejernshjul',
    'Smøreoljepumpe',
    'Ålesund girkasse',
    'Kjølevifte',
    'Växellåda',
    'Hållare för givare',
  ],
  ...['Boîte de vitesses', 'Roulement à billes', 'Eje de transmisión', 'Wałek napędowy', 'Koło zębate'],
];

/** Maps misspelt names to the names that people mean. */
const MISSPELT: Readonly<Record<string, string>> = {
  ...{ 'Gear Housng': 'Gear Housing', gearhousing: 'Gear Housing', gaer: 'Gear Housing' },
  ...{
    'braek disc': 'Brake Disc',
    'brak disk': 'Brake Disc',
    shfat: 'Drive Shaft',
    'driv shaft': 'Drive Shaft',
  },
  ...{ impeler: 'Impeller', impellar: 'Impeller', copling: 'Coupling Half', cuopling: 'Coupling Half' },
  ...{
    bracet: 'Mounting Bracket',
    mouting: 'Mounting Bracket',
    winsh: 'Winch Frame',
    sensr: 'Sensor Holder',
  },
  ...{ vavle: 'Valve Body', noozle: 'Nozzle Ring', rotr: 'Rotor Hub', cilinder: 'Cylinder Liner' },
  ...{
    exchangr: 'Heat Exchanger Plate',
    'clmap jaw': 'Clamp Jaw',
    filtre: 'Filter Bowl',
    lifitng: 'Lifting Eye',
  },
  ...{ peston: 'Piston Rod', cabnet: 'Control Cabinet', kontrol: 'Control Cabinet', bering: 'Bearing Cap' },
  ...{ zanhräder: 'Zahnräder 40', Zahnrat: 'Zahnräder 40', getreibe: 'Getriebegehäuse' },
  ...{ kühlmitel: 'Kühlmittelpumpe', wälzlagr: 'Wälzlager 6204', stopejernhjul: 'Støpejernshjul' },
  ...{ smørolje: 'Smøreoljepumpe', girkase: 'Ålesund girkasse', vitese: 'Boîte de vitesses' },
  ...{
    rulement: 'Roulement à billes',
    'kolo zebte': 'Koło zębate',
    växelåda: 'Växellåda',
    tranmision: 'Eje de transmisión',
  },
};

/** Maps spellings without accents to the names. People without the accents on their keyboard type these spellings. */
const WITHOUT_ACCENTS: Readonly<Record<string, string>> = {
  ...{
    zahnrader: 'Zahnräder 40',
    Zahnraeder: 'Zahnräder 40',
    ZAHNRÄDER: 'Zahnräder 40',
    'zahnra\u0308der': 'Zahnräder 40',
  },
  ...{
    stopejern: 'Støpejernshjul',
    stoepejern: 'Støpejernshjul',
    alesund: 'Ålesund girkasse',
    aalesund: 'Ålesund girkasse',
  },
  ...{
    boite: 'Boîte de vitesses',
    'roulement à': 'Roulement à billes',
    walek: 'Wałek napędowy',
    'kolo zebate': 'Koło zębate',
  },
};

const LISTS = [
  '/product/structure-versions/aggregated-production-times',
  '/product/products/aggregated-production-times',
];

describe('A list without rows', () => {
  const api = opened(serveApi);
  let headers: Readonly<Record<string, string>>;

  before(async () => {
    await insertStructureVersions(
      api.owner,
      NAMES.map((productName, index) => ({
        ...{ id: index + 1, productName, name: `${productName} - Milling` },
        ...{ planned: { run: '1' }, actual: { run: ['2'] } },
      })),
    );
    await insertStructureVersions(api.owner, [
      { id: 900, companyId: OTHER_COMPANY, productName: 'Gear Housngs' },
    ]);
    await insertMonths(api.owner, [
      { structureVersionId: 1, month: '2025-08', completed: 3 },
      { structureVersionId: 2, month: '2025-07', completed: 3 },
      { structureVersionId: 2, month: '2025-10', completed: 0 },
      { structureVersionId: 900, companyId: OTHER_COMPANY, month: '2025-11', completed: 3 },
    ]);
    headers = { authorization: `Bearer ${await api.createToken('TEM-NO')}` };
  });

  const read = async (path: string, query: Readonly<Record<string, string>>) => {
    const { status, text } = await api.client.get(`${path}?${new URLSearchParams(query)}`, headers);
    expect(status).to.equal(200);
    return text;
  };
  const proposalsIn = (html: string) => {
    const [nothing = ''] = /<p class="nothing">.*?<\/p>/s.exec(html) ?? [];
    return [...nothing.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href = '', name = '']) => ({
      href,
      name,
    }));
  };

  it('proposes no names for a text of more than 100 characters, which none resembles', async () => {
    const search = (length: number) => `Gear Housngs${' Housng'.repeat(20)}`.slice(0, length);
    const proposals = async (length: number) =>
      proposalsIn(await read(LISTS[0] ?? '', { $format: 'html', search: search(length) }));
    expect((await proposals(100)).map(({ name }) => name)).to.include('Gear Housing');
    expect(await proposals(101)).to.deep.equal([]);
  });

  const addressOf = ({ href }: { readonly href: string }) =>
    new URL(href.replaceAll('&amp;', '&'), SERVED_AT);

  for (const path of LISTS) {
    it(`finds names by any spelling of their accents: ${path}`, async () => {
      for (const [search, name] of Object.entries(WITHOUT_ACCENTS)) {
        expect(await read(path, { search, $format: 'json' }), search).to.include(JSON.stringify(name));
      }
    });

    it(`suggests the names that people mean if it finds nothing: ${path}`, async () => {
      const missed: string[] = [];
      for (const [search, name] of Object.entries(MISSPELT)) {
        const proposals = proposalsIn(await read(path, { search, $format: 'html' }));
        expect(proposals.length, search).to.be.at.most(5);
        const proposed = proposals.find((one) => one.name === name);
        if (proposed === undefined) {
          missed.push(search);
        } else {
          expect(addressOf(proposed).searchParams.get('search')).to.equal(name);
        }
      }
      console.info(
        `      ${Object.keys(MISSPELT).length} misspelt names, not found: ${missed.join(', ') || 'none'}`,
      );
      expect(missed.length).to.be.at.most(2);
    });

    it(`does not suggest dissimilar names and names of another company: ${path}`, async () => {
      expect(proposalsIn(await read(path, { search: 'qqq xyz', $format: 'html' }))).to.deep.equal([]);
      const names = proposalsIn(await read(path, { search: 'Gear Housngs', $format: 'html' })).map(
        ({ name }) => name,
      );
      expect(names).to.include('Gear Housing').and.not.to.include('Gear Housngs');
    });
  }

  for (const path of LISTS) {
    it(`offers the newest month with data if the chosen period has none: ${path}`, async () => {
      const offered = async (query: Readonly<Record<string, string>>) =>
        proposalsIn(await read(path, { $format: 'html', ...query }));
      const [newest = { href: '', name: '' }, ...others] = await offered({ from: '2025-09', $top: '5' });
      expect([newest.name, others]).to.deep.equal(['The newest data are of August 2025', []]);
      expect(Object.fromEntries(addressOf(newest).searchParams)).to.include({
        from: '2025-08',
        to: '2025-08',
        $top: '5',
      });
      expect(proposalsIn(await read(path, Object.fromEntries(addressOf(newest).searchParams)))).to.deep.equal(
        [],
      );
      // The newest month is in the period, so the search hides its rows.
      expect(await offered({ from: '2025-08', search: 'qqq xyz' })).to.deep.equal([]);
      expect(await offered({ search: 'qqq xyz' })).to.deep.equal([]);
    });
  }

  it('keeps the filter in links to suggested names', async () => {
    const $filter = 'RunTime eq 1.0';
    const [first = { href: '' }] = proposalsIn(
      await read(LISTS[0] ?? '', { search: 'impeler', $filter, $format: 'html' }),
    );
    expect(addressOf(first).searchParams.get('$filter')).to.equal($filter);
  });
});
