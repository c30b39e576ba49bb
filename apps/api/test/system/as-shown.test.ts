import { needsProgram, openBrowser, opened } from '@takt/test-support';
import { type Language, languageSettings } from '@takt/texts';
import { expect } from 'chai';
import { readXlsx } from 'hucre/xlsx';
import { wordings } from '../../src/pages/words.js';
import { insertExportedRows } from '../support/exported-rows.js';
import { readCsvByPython, readXlsxByPython } from '../support/python-readers.js';
import { SERVED_AT, serveApi } from '../support/serve-api.js';

const TIMES = '/product/structure-versions/aggregated-production-times';
const PRODUCTS = '/product/products/aggregated-production-times';
const LANGUAGES: readonly Language[] = ['eng', 'deu', 'nob'];

/** Addresses of HTML pages with a list. */
const PAGES: readonly string[] = [
  `${TIMES}?view=over-plan&$filter=HoursOverPlan%20gt%200&$orderby=HoursOverPlan%20desc`,
  `${TIMES}?view=all&$orderby=ProductName%20asc`,
  `${TIMES}?view=run&$orderby=RunTimeHoursOverPlan%20desc`,
  `${TIMES}?view=setup&$orderby=AverageSetupTime&search=1`,
  `${TIMES}?view=all&$select=Product.Name,RunTime`,
  `${PRODUCTS}?$orderby=HoursOverPlan%20desc`,
  `${TIMES}?view=all&hide=SetupTime,HoursOverPlan`,
  '/product/structure-versions?$orderby=ProductName%20desc',
  '/product/products',
  '/system/error-messages?search=filter',
];

interface ShownTable {
  readonly headings: readonly string[];
  /** The texts of the cells, as displayed. */
  readonly rows: readonly (readonly string[])[];
  readonly csv: string;
  readonly xlsx: string;
}

/**
 * A script that reads the visible table of a page in a browser. It also reads the links below the table. They lead to
 * files with the same columns.
 */
const READ_TABLE = `(() => {
  const textOf = (element) => element.textContent.replace(/\\s+/g, ' ').trim();
  const table = document.querySelector('table.list');
  const [upper, lower = []] = [...table.querySelectorAll('thead tr')].map((row) => [...row.children]);
  const headings = upper.flatMap((th) =>
    th.classList.contains('group')
      ? lower.splice(0, Number(th.getAttribute('colspan'))).map((inner) =>
          inner.querySelector('.scale') ? '' : textOf(th) + ': ' + textOf(inner))
      : [textOf(th)]);
  const rows = [...table.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].filter((_, index) => headings[index] !== '').map(textOf));
  const [csv, xlsx] = [...document.querySelectorAll('.foot nav:last-of-type ul:first-of-type a')].map((link) =>
    link.getAttribute('href'));
  return { headings: headings.filter((heading) => heading !== ''), rows, csv, xlsx };
})()`;

type Cell = string | number | boolean | null;

/** Parses a number as a page in the language writes it. The result is undefined if the text is not a number. */
function numberIn(text: string, language: Language): number | undefined {
  const { groupSeparator, decimalSeparator } = languageSettings[language];
  const plain = text
    .replace(/[\u202F\u00A0 ]/g, '')
    .replaceAll(groupSeparator, '')
    .replace('\u2212', '-')
    .replace(decimalSeparator, '.');
  return /^[+-]?\d+(\.\d+)?%?$/.test(plain) ? Number(plain.replace('%', '')) : undefined;
}

/** Replaces characters that an HTML document cannot contain, like the browser. */
const plainText = (text: string) => text.replace(/[\p{Cc}\p{Cn}\uFFFD\s]+/gu, ' ').trim();

/**
 * Expects the same content in a cell of a file and a cell of the page. Numbers may differ by the rounding of the page.
 */
function expectSame(cell: Cell, text: string, place: string, language: Language): void {
  if (cell === null || cell === '') {
    expect(text, place).to.match(/^$|^\u2013/);
  } else if (typeof cell === 'number') {
    const value = text.endsWith('%') ? cell * 100 : cell;
    const shown = numberIn(text, language);
    if (shown === undefined) {
      expect(text, place).to.match(/^<0[.,]0+1$/);
      expect(Math.abs(value), place).to.be.below(0.005);
    } else {
      const [, decimals = ''] = text.split(languageSettings[language].decimalSeparator);
      expect(Math.abs(value - shown), `${place}: ${text} for ${value}`).to.be.at.most(
        0.5 * 10 ** -decimals.replace(/\D/g, '').length + 1e-9,
      );
    }
  } else {
    const words = String(cell).replace(/\s+/g, ' ').trim();
    // A page shows only the path of a link, and adds the time zone to a point in time.
    if (/^https?:/.test(words)) {
      expect(words, place).to.include(text);
    } else if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(words)) {
      expect(plainText(text), place).to.include(plainText(words));
    }
  }
}

describe('A file with the columns of a page', function () {
  this.timeout(120_000);
  const api = opened(serveApi);
  let headers: Readonly<Record<string, string>>;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  before(async function () {
    needsProgram(this, 'chromium');
    needsProgram(this, 'python3');
    await insertExportedRows(api.owner);
    headers = { authorization: `Bearer ${await api.createToken('TEM-NO')}` };
    browser = await openBrowser();
  });
  after(() => browser?.close());

  const get = async (address: string) => {
    const answer = await api.client.get(address.replace(SERVED_AT, ''), headers);
    expect(answer.status, answer.text.slice(0, 300)).to.equal(200);
    return answer;
  };
  const open = async (path: string, language: Language): Promise<ShownTable> => {
    const separator = path.includes('?') ? '&' : '?';
    const { text } = await get(`${path}${separator}$format=html&$top=80&$lang=${language}`);
    const page = await browser.newPage();
    try {
      await page.setContent(text);
      return await page.evaluate<ShownTable>(READ_TABLE);
    } finally {
      await page.close();
    }
  };

  const filterWords: Readonly<Partial<Record<Language, string>>> = {
    eng: 'Product ID is less than 900000',
    deu: 'Produktkennung ist weniger als 900000',
    nob: 'Produkt-ID er mindre enn 900000',
  };
  for (const language of LANGUAGES) {
    for (const path of PAGES) {
      it(`has the same columns, words and order as the page: ${language}, ${path}`, async () => {
        const shown = await open(path, language);
        expect(shown.rows.length).to.be.above(0);
        const sheet = readXlsxByPython((await get(shown.xlsx)).body);
        const csv = (await get(shown.csv)).text;
        expect(csv.startsWith('\uFEFF')).to.equal(true);
        const delimiter = wordings[language].decimalSeparator === ',' ? ';' : ',';
        const [header = [], ...records] = readCsvByPython(csv.slice(1), delimiter);
        const [sheetHeader = {}, ...sheetRows] = sheet;
        const names = header.map((_, index) => String(sheetHeader[index] ?? ''));
        // Only the headers of CSV contain (%). CSV has no format for percentages, so the export multiplies the shares
        // by 100.
        expect(header.map((name) => name.replace(/ \(%\)$/, ''))).to.deep.equal(
          names.map((name) => name.replace(/ \(%\)$/, '')),
        );
        const plain = names.map((name) => name.replace(/ \((h|%)\)$/, ' $1').trim());
        const first = plain.length - shown.headings.length;
        expect(first).to.be.at.least(0);
        expect(plain[0]).to.equal(shown.headings[0]);
        expect(plain.slice(first + 1)).to.deep.equal(shown.headings.slice(1));
        expect(records.length).to.equal(sheetRows.length).and.to.be.at.least(shown.rows.length);
        for (const [at, cells] of shown.rows.entries()) {
          const row = names.map((_, index): Cell => sheetRows[at]?.[index] ?? null);
          for (const cell of row.slice(0, first + 1)) {
            expect(plainText(cells[0] ?? ''), `${at}, name`).to.include(plainText(String(cell ?? '')));
          }
          for (const [index, text] of cells.slice(1).entries()) {
            expectSame(
              row[first + 1 + index] ?? null,
              text,
              `row ${at}, ${names[first + 1 + index]}`,
              language,
            );
          }
          // The CSV file and the workbook must contain the same values.
          for (const [index, cell] of row.entries()) {
            const isPercent =
              header[index]?.endsWith(' (%)') === true && names[index]?.endsWith(' (%)') === false;
            const value = typeof cell === 'number' && isPercent ? cell * 100 : cell;
            const written = records[at]?.[index] ?? '';
            if (typeof value === 'number' && /^-?[\d.,e+-]+$/.test(written)) {
              expect(Number(written.replace(',', '.'))).to.be.closeTo(value, 1e-6);
            }
          }
        }
      });
    }

    it(`states the company, the filter, the period and the time of reading on a second sheet: ${language}`, async () => {
      const { texts } = wordings[language];
      const target = `${TIMES}?view=all&from=2026-01&to=2026-03&$filter=ProductId%20lt%20900000&$lang=${language}`;
      const { sheets } = await readXlsx((await get(`${target}&$format=xlsx&columns=shown`)).body);
      expect(sheets[1]?.name).to.equal(texts.aboutList);
      const about = Object.fromEntries(
        (sheets[1]?.rows ?? []).map(([name, value]) => [String(name), String(value)]),
      );
      expect(about[texts.company]).to.include('(TEM-NO)');
      expect(about[texts.period]).to.match(/2026/);
      expect(about[texts.filter]).to.equal(filterWords[language]);
      expect(about[texts.readOn]).to.match(/\d{4}.* UTC$/);
      expect(about[texts.address])
        .to.include('from=2026-01')
        .and.not.to.match(/format|columns/);
      expect(JSON.stringify(about)).not.to.match(/&\w+;/);
    });
  }
});
