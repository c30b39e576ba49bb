import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { SESSION_COOKIE } from '@takt/access';
import { openConnection, openedForEach, request, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { openTestDashboard, type Signed, type TestDashboard } from './support/open-test-dashboard.js';

const EXAMPLES = fileURLToPath(new URL('../../../../docs/examples/', import.meta.url));
const IMPORTER = ['operate-queues', 'read-production-times', 'read-planned-times'] as const;

const example = async (name: string) => new File([await readFile(`${EXAMPLES}${name}`)], name);
/** A value of a page's form. */
const idIn = (text: string) => /name="id" value="([^"]+)"/.exec(text)?.[1] ?? '';
const idOf = (location: string | undefined) => /id=([\w-]+)$/.exec(location ?? '')?.[1] ?? '';

/** Calls of one person. */
function visitorOf(test: TestDashboard, { token }: Signed) {
  const cookie = { cookie: `${SESSION_COOKIE}=${token}` };
  const upload = async (company: string, file: File | undefined, headers = {}) => {
    const form = new FormData();
    form.set('company', company);
    if (file !== undefined) form.set('file', file);
    const body = {
      method: 'POST',
      body: form,
      redirect: 'manual',
      headers: { ...cookie, ...headers },
    } as const;
    const answer = await fetch(`${test.origin}/import/upload`, body);
    return { status: answer.status, location: answer.headers.get('location')?.replace(test.origin, '') };
  };
  const get = (path: string) => test.ask('GET', path, { token });
  const post = (path: string, form: Readonly<Record<string, string>>) =>
    test.ask('POST', path, { token, form });
  /** Waits until a page shows no progress, and returns it. */
  const settled = async (path: string) => {
    let page = await get(path);
    await waitUntil(
      `the run of ${path} has ended`,
      async () => {
        page = await get(path);
        return !page.text.includes('data-reload');
      },
      60_000,
    );
    return page.text;
  };
  const file = (id: string) => settled(`/import/file?id=${id}`);
  /** Posts the lists of a page as they are, and returns the page of the preview. */
  const preview = async (text: string, changes: Readonly<Record<string, string>> = {}) => {
    const [, form = ''] = /action="\/import\/preview">(.*?)<\/form>/s.exec(text) ?? [];
    const fields = new URLSearchParams();
    for (const [, name = '', value = ''] of form.matchAll(
      /<input[^>]* name="([^"]+)"[^>]* value="([^"]*)"/g,
    )) {
      fields.append(name, value);
    }
    for (const [, name = '', options = ''] of form.matchAll(/<select name="([^"]+)".*?>(.*?)<\/select>/gs)) {
      const chosen =
        /<option value="([^"]*)" selected/.exec(options) ?? /<option value="([^"]*)"/.exec(options);
      fields.append(name, (chosen?.[1] ?? '').replaceAll('&#39;', "'").replaceAll('&amp;', '&'));
    }
    for (const [name, value] of Object.entries(changes)) fields.set(name, value);
    const answer = await fetch(`${test.origin}/import/preview`, {
      ...{ method: 'POST', body: fields, redirect: 'manual', headers: cookie },
    });
    expect(answer.status).to.equal(303);
    return file(fields.get('id') ?? '');
  };
  return { upload, get, post, settled, file, preview };
}

describe('the import on the dashboard', function () {
  this.timeout(120_000);
  const test = openedForEach(openTestDashboard);
  let visitor: ReturnType<typeof visitorOf>;

  beforeEach(async () => {
    await test.database.pool.query("UPDATE takt.companies SET time_zone = 'Europe/Berlin'");
    visitor = visitorOf(test, await test.addPerson(['TEM-NO'], { duties: IMPORTER }));
  });

  const completed = async () => {
    const { rows } = await test.database.pool.query<{ operations: number; versions: number }>(
      `SELECT coalesce(sum(number_of_completed_operations), 0)::integer AS operations,
         count(*) FILTER (WHERE changed_at IS NOT NULL)::integer AS versions FROM takt.product_structure_versions`,
    );
    return rows[0];
  };

  it('takes the two example files by steps, and undoes them', async () => {
    await test.startWorker();
    const plans = await visitor.upload('TEM-NO', await example('plans.csv'));
    const page = await visitor.file(idOf(plans.location));
    expect(page).to.include('First rows of the file').and.to.include('aria-pressed="true">Plans');
    const seen = await visitor.preview(page);
    expect(seen).to.include('This import would change 60 operations or plans');
    expect(seen).to.include('<th scope="col">Name</th><th scope="col">Name of the product</th>');
    const id = idIn(seen);
    expect((await visitor.post('/import/begin', { id })).location).to.equal(`/import/file?id=${id}`);
    expect(await visitor.file(id))
      .to.include('Import 1 is done')
      .and.to.include('href="/import/undo?number=1"');
    expect(await completed()).to.deep.equal({ operations: 0, versions: 60 });
    // The back button leads to forms of a file that is imported.
    for (const path of ['/import/begin', '/import/preview', '/import/kind']) {
      await visitor.post(path, { id, mapping: 'what: plans' });
      expect(await visitor.file(id), path).to.include('Import 1 is done');
    }

    const operations = await visitor.upload('TEM-NO', await example('operations.csv'));
    const faulty = await visitor.preview(await visitor.file(idOf(operations.location)));
    expect(faulty).to.include('would change 496').and.to.include('Leave out the faulty rows');
    expect(faulty).to.match(/<td class="end">102<\/td><td lang="en">Fertiggestellt does not exist in/);
    const all = await visitor.get(`/import/faulty?id=${idIn(faulty)}`);
    expect(all.headers.get('content-disposition')).to.include("filename*=UTF-8''operations.csv.faulty.csv");
    expect(all.text.trim().split('\r\n').length).to.equal(5);
    await visitor.post('/import/begin', { id: idIn(faulty) });
    expect(await visitor.file(idIn(faulty))).to.include('Nothing was imported: tick what you want');
    await visitor.post('/import/begin', { id: idIn(faulty), skipsFaulty: 'true' });
    // The refused attempt has used up a number.
    expect(await visitor.file(idIn(faulty))).to.include('Import 3 is done');
    // The faulty rows can still be corrected.
    const kept = await visitor.get(`/import/faulty?id=${idIn(faulty)}`);
    expect(kept.text).to.equal(all.text);
    expect(await completed()).to.deep.equal({ operations: 496, versions: 60 });

    const list = await visitor.get('/import');
    expect(list.text)
      .to.include('operations.csv')
      .and.to.include('number=3')
      .and.not.to.include('is waiting');
    expect((await visitor.get('/import/undo?number=3')).text).to.include('<h1>Undo import 3?</h1>');
    await visitor.post('/import/undo', { number: '3' });
    const undone = await visitor.settled('/import/undo?number=3');
    expect(undone).to.include('Import 3 is undone').and.to.include('As before the import: 496.');
    await visitor.post('/import/undo', { number: '1' });
    expect(await visitor.settled('/import/undo?number=1')).to.include('keys or by numbers again');
    expect(await completed()).to.deep.equal({ operations: 0, versions: 0 });
    const { rows } = await test.database.pool.query(
      "SELECT action, subject, actor ~ '^PID' AS by_person FROM takt.audit_log WHERE action ~ '^import' ORDER BY audit_entry_id",
    );
    expect(rows.map(({ action, subject }) => `${action} ${subject}`)).to.deep.equal([
      ...[
        'import-begun import 1',
        'import-begun import 3',
        'import-undone import 3',
        'import-undone import 1',
      ],
    ]);
    const folders = (await readdir(test.home)).filter((name) => name.startsWith('uploads-'));
    const left = await readdir(`${test.home}/${folders[0]}`, { recursive: true });
    expect(left.filter((name) => name.endsWith('.csv'))).to.deep.equal([
      `${idIn(faulty)}/operations.csv.faulty.csv`,
    ]);
  });

  it('proposes the columns of an earlier import, and keeps what lists cannot say', async () => {
    await test.startWorker();
    const first = await visitor.file(
      idOf((await visitor.upload('TEM-NO', await example('plans.csv'))).location),
    );
    const mapping = `
      what: plans
      columns:
        productStructureVersionKey: '{Artikel}-{Revision}-{Arbeitsgang}'
        product.productKey: Artikel
        name: 'Plan {Bezeichnung}'
        plannedProductionTimes.runTime: {column: 'Plan Laufzeit [min]', unit: min, per: 2}
      where: {Artikel: {filled: true}}`;
    const { location } = await visitor.post('/import/preview', { id: idIn(first), mapping });
    const seen = await visitor.settled(location ?? '');
    expect(seen).to.include('Plan {Bezeichnung}').and.to.include('per&quot;:2');
    const again = await visitor.preview(seen);
    expect(again).to.match(/<textarea[^>]*>\s*what: plans[^<]*Plan \{Bezeichnung\}[^<]*per: 2[^<]*where:/);
    await visitor.post('/import/begin', { id: idIn(again) });
    expect(await visitor.file(idIn(again))).to.include('Import 1 is done');
    const second = await visitor.upload('TEM-NO', await example('plans.csv'));
    const proposed = await visitor.file(idOf(second.location));
    expect(proposed).to.include('those of an earlier import').and.to.include('Plan {Bezeichnung}');
    expect(await visitor.preview(proposed)).to.include('everything is stored already');
  });

  it('names what is wrong with a file or a mapping', async () => {
    const broken = new File([new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d])], 'a.csv');
    const pdf = await visitor.upload('TEM-NO', broken);
    expect(await visitor.file(idOf(pdf.location))).to.include('a.csv is a PDF: export CSV or XLSX');
    const { location } = await visitor.upload('TEM-NO', await example('plans.csv'));
    await visitor.file(idOf(location));
    const wrong = await visitor.post('/import/preview', { id: idOf(location), mapping: 'what: nothing' });
    expect(wrong.status).to.equal(400);
    expect(wrong.text).to.include('the mapping cannot be used: what:').and.to.include('what: nothing');
    const absent = 'what: plans\ncolumns: {productStructureVersionKey: Absent}';
    await visitor.post('/import/preview', { id: idOf(location), mapping: absent });
    expect(await visitor.file(idOf(location))).to.include('plans.csv has no line with the headings Absent');
    await visitor.post('/import/kind', { id: idOf(location), what: 'operations' });
    const asked = await visitor.file(idOf(location));
    expect(asked).to.include('No column was found for: completedAt');
    expect((await visitor.post('/import/remove', { id: idOf(location) })).location).to.equal('/import');
    expect((await visitor.get(`/import/file?id=${idOf(location)}`)).status).to.equal(404);
  });

  it('waits for a worker before it compares, and says so', async () => {
    await test.queue.add('event', {}, { jobId: 'waiting' });
    const { location } = await visitor.upload('TEM-NO', await example('plans.csv'));
    const page = await visitor.preview(await visitor.file(idOf(location)));
    expect(page).to.include('events wait in a queue, and no worker is connected');
  });

  it('can be stopped while it waits or compares', async () => {
    await test.startWorker();
    await test.queue.pause();
    await test.queue.add('event', {}, { jobId: 'waiting' });
    const { location = '' } = await visitor.upload('TEM-NO', await example('plans.csv'));
    const mapping = 'what: plans\ncolumns: {productStructureVersionKey: Artikel}';
    await visitor.file(idOf(location));
    await visitor.post('/import/preview', { id: idOf(location), mapping });
    await waitUntil('the page shows what the import waits for', async () =>
      /Waiting until all events.*1 left/s.test((await visitor.get(location)).text),
    );
    const other = await visitor.upload('TEM-NO', await example('operations.csv'));
    expect(other.location).to.equal('/import?done=otherImport');
    const otherMapping = mapping.replace('Artikel', 'Revision');
    const busy = await visitor.post('/import/preview', { id: idOf(location), mapping: otherMapping });
    expect([busy.status, busy.text.includes('Another import runs')]).to.deep.equal([409, true]);
    expect((await visitor.post('/import/remove', { id: idOf(location) })).status).to.equal(409);
    await visitor.post('/import/stop', { id: idOf(location) });
    const stopped = await visitor.file(idOf(location));
    expect(stopped).to.include('Stopped: nothing was imported.');
    // The mapping of the refused step is not taken for that of the last one.
    expect(stopped).to.match(
      /<textarea[^>]*>\s*what: plans\s+columns: \{productStructureVersionKey: Artikel\}/,
    );
  });

  it('shows files and imports only to those who may see them', async () => {
    await test.startWorker();
    const other = visitorOf(test, await test.addPerson(['TEM-SE'], { duties: IMPORTER }));
    expect((await other.upload('TEM-NO', await example('plans.csv'))).location).to.equal(
      '/import?done=noFile',
    );
    const { location = '' } = await visitor.upload('TEM-NO', await example('plans.csv'));
    const seen = await visitor.preview(await visitor.file(idOf(location)));
    for (const [path, form] of [
      ['/import/preview', { mapping: 'what: plans' }],
      ['/import/begin', {}],
      ['/import/remove', {}],
    ] as const) {
      expect((await other.post(path, { id: idIn(seen), ...form })).status, path).to.equal(404);
    }
    expect((await other.get(location)).status).to.equal(404);
    await visitor.post('/import/begin', { id: idIn(seen) });
    expect(await visitor.file(idIn(seen))).to.include('Import 1 is done');
    expect((await other.get('/import')).text).to.include('Nothing was imported yet.');
    expect((await other.get('/import/undo?number=1')).status).to.equal(404);
    expect((await other.post('/import/undo', { number: '1' })).status).to.equal(404);
    expect(await completed()).to.deep.equal({ operations: 0, versions: 60 });
  });

  it('shows nothing of plans to people who may not read them', async () => {
    await test.startWorker();
    const { location: plans } = await visitor.upload('TEM-NO', await example('plans.csv'));
    const seen = await visitor.preview(await visitor.file(idOf(plans)));
    await visitor.post('/import/begin', { id: idIn(seen) });
    await visitor.file(idIn(seen));
    const duties = ['operate-queues', 'read-production-times'] as const;
    const operator = visitorOf(test, await test.addPerson(['TEM-NO'], { duties }));
    const { location: own } = await operator.upload('TEM-NO', await example('plans.csv'));
    const refused = await operator.preview(await operator.file(idOf(own)));
    expect(refused).to.include('To import plans you need the duty read-planned-times.');
    expect((await operator.post('/import/undo', { number: '1' })).status).to.equal(403);
    expect((await completed())?.versions).to.equal(60);
    // Hours instead of minutes, so that all averages are far from the plans.
    const operations = await example('operations.csv');
    const units = { 'unit:runTime': 'h', 'unit:setupTime': 'h' };
    const { location: first } = await operator.upload('TEM-NO', operations);
    const unaware = await operator.preview(await operator.file(idOf(first)), units);
    expect(unaware)
      .to.include('would change 496')
      .and.to.include('more than 24 h')
      .and.not.to.include('the plan of');
    const { location: second } = await visitor.upload('TEM-NO', operations);
    const aware = await visitor.preview(await visitor.file(idOf(second)), units);
    expect(aware).to.include('would change 496').and.to.include('times the plan of');
  });

  it('takes no file that is absent, empty, of another site or half there', async () => {
    expect((await visitor.upload('TEM-NO', undefined)).location).to.equal('/import?done=noFile');
    expect((await visitor.upload('TEM-NO', new File([], 'a.csv'))).location).to.equal('/import?done=noFile');
    const foreign = await visitor.upload('TEM-NO', await example('plans.csv'), {
      'sec-fetch-site': 'cross-site',
    });
    expect(foreign.status).to.equal(403);
    const { token } = await test.addPerson(['TEM-NO'], { duties: IMPORTER });
    const connection = await openConnection(test.dashboard.port);
    const type = { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': '9000' };
    connection.send(
      `${request('/import/upload', { ...type, Cookie: `${SESSION_COOKIE}=${token}` }, 'POST')}--b\r\n` +
        'Content-Disposition: form-data; name="company"\r\n\r\nTEM-NO\r\n--b\r\n' +
        'Content-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nArtikel;Zeit\r\n',
    );
    const kept = async () => {
      const [folder = ''] = (await readdir(test.home)).filter((name) => name.startsWith('uploads-'));
      return readdir(`${test.home}/${folder}`);
    };
    await waitUntil('the file has begun to arrive', async () => (await kept()).length === 1);
    connection.destroy();
    await waitUntil('the half file is removed', async () => (await kept()).length === 0);
  });
});
