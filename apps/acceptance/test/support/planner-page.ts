import { get } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';

/** A row of a table of figures as it is shown. */
export interface ShownRow {
  /** From the link to its details; undefined where it has none. */
  readonly identifier: number | undefined;
  readonly heading: string;
  /** Of the cells, in order. */
  readonly values: readonly string[];
  /** By the labels of the cells; of two with one label the first. */
  readonly cells: Readonly<Record<string, string>>;
}

/** As text, because programs here know no documents. */
const READ_ROWS = `(table) => Array.from(table.tBodies[0].rows, (row) => ({
  link: row.querySelector('th a:last-child')?.getAttribute('href') ?? '',
  heading: row.querySelector('th').textContent,
  cells: Array.from(row.querySelectorAll('td'), (cell) => [cell.dataset.l, cell.textContent]),
}))`;

/** The rows of the first table of figures, or of the figures or months in a section with such a heading. */
export async function readRows(page: Page, section?: string): Promise<readonly ShownRow[]> {
  const places = section === undefined ? 'document' : `...document.querySelectorAll('main section')`;
  const isMeant =
    section === undefined ? 'true' : `place.querySelector('h2')?.textContent === ${JSON.stringify(section)}`;
  const rows: readonly ReadRow[] = await page.evaluate(
    `(${READ_ROWS})([${places}].find((place) => ${isMeant}).querySelector('table.figures, table.months'))`,
  );
  return rows.map(({ link, heading, cells }) => {
    const [, identifier] = /\/structure-versions\/(\d+)\//.exec(link) ?? [];
    return {
      identifier: identifier === undefined ? undefined : Number(identifier),
      heading,
      values: cells.map(([, value]) => value),
      cells: Object.fromEntries(cells.toReversed()),
    };
  });
}

interface ReadRow {
  readonly link: string;
  readonly heading: string;
  readonly cells: readonly (readonly [string, string])[];
}

/** Does what leads to another page and gives the answer that it is shown from. */
export async function follow(page: Page, action: () => Promise<unknown>): Promise<Response> {
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.request().isNavigationRequest() && one.status() !== 303),
    action(),
  ]);
  await page.waitForLoadState();
  return response;
}

/** Does what leads to a file, and gives its bytes. */
export async function download(page: Page, action: () => Promise<unknown>): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent('download'), action()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A page as it is sent to a browser, with gzip: its size on the way, and what it is. */
export function takePage(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly compressed: number; readonly html: string }> {
  return new Promise((resolve, reject) => {
    const sent = get(address, { headers: { ...headers, 'accept-encoding': 'gzip' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        resolve({ compressed: body.length, html: gunzipSync(body).toString('utf8') });
      });
    });
    sent.on('error', reject);
  });
}
