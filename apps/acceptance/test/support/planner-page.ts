import { get } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';

/** A row of a table of figures, as the page shows it. */
export interface ShownRow {
  /** Identifier in the link to the details. undefined if the row has no link. */
  readonly identifier: number | undefined;
  readonly heading: string;
  /** Texts of the cells, in the order of the columns. */
  readonly values: readonly string[];
  /** Texts of the cells by their labels. Contains only the first text of cells with the same label. */
  readonly cells: Readonly<Record<string, string>>;
}

/**
 * Function that reads the rows of a table in the browser. It is source text, because the types of the DOM are not
 * available here.
 */
const READ_ROWS = `(table) => Array.from(table.tBodies[0].rows, (row) => ({
  link: row.querySelector('th a:last-child')?.getAttribute('href') ?? '',
  heading: row.querySelector('th').textContent,
  cells: Array.from(row.querySelectorAll('td'), (cell) => [cell.dataset.l, cell.textContent]),
}))`;

/**
 * Returns the rows of the first table of figures on the page. If `section` is given, takes the table in the section
 * with this heading.
 */
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

/** Runs an action that leads to another page, and returns the response that contains that page. */
export async function follow(page: Page, action: () => Promise<unknown>): Promise<Response> {
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.request().isNavigationRequest() && one.status() !== 303),
    action(),
  ]);
  await page.waitForLoadState();
  return response;
}

/** Runs an action that starts a download, and returns the bytes of the file. */
export async function download(page: Page, action: () => Promise<unknown>): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent('download'), action()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Requests a page with gzip as a browser does. Returns the compressed size in bytes and the content of the page. */
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
