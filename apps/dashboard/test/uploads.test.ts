import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { expect } from 'chai';
import { pino } from 'pino';
import { openUploads, type Upload } from '../src/import/uploads.js';

const HEADERS = { 'content-type': 'multipart/form-data; boundary=b' };
const company = (fields: ReadonlyMap<string, string>) => fields.get('company');

/** A form with a file, as browsers send it, in small pieces. */
function formOf(name: string, content: string): Readable {
  const text =
    '--b\r\nContent-Disposition: form-data; name="company"\r\n\r\nWERK\r\n' +
    `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n${content}\r\n--b--\r\n`;
  return Readable.from(text.match(/.{1,1000}/gs) ?? []);
}

describe('uploaded files', () => {
  let home: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'takt-uploads-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const open = (limits = { maxFileBytes: 10_000, maxFolderBytes: 15_000 }) =>
    openUploads(home, pino({ level: 'silent' }), limits);
  const filesIn = async () =>
    (await readdir(home, { recursive: true })).filter((name) => name.endsWith('.csv')).length;

  it('are kept with their names, one for each person, and removed at the end', async () => {
    const uploads = open();
    const first = (await uploads.receive(formOf('a.csv', 'x'), HEADERS, 'PID 1', company)) as Upload;
    expect([first.fileName, first.company, first.bytes]).to.deep.equal(['a.csv', 'WERK', 1]);
    const second = (await uploads.receive(
      formOf('Zeiten 1.csv', 'y;z'),
      HEADERS,
      'PID 1',
      company,
    )) as Upload;
    expect(await readFile(second.path, 'utf8')).to.equal('y;z');
    expect(uploads.find(first.id, 'PID 1')).to.equal(undefined);
    expect(uploads.find(second.id, 'PID 2')).to.equal(undefined);
    expect(uploads.find(second.id, 'PID 1')).to.equal(second);
    expect(await filesIn()).to.equal(1);
    await uploads.close();
    expect(await readdir(home)).to.deep.equal([]);
  });

  it('are refused if one is too large, or all together are', async () => {
    const uploads = open();
    const receive = (owner: string, bytes: number) =>
      uploads.receive(formOf('a.csv', 'x'.repeat(bytes)), HEADERS, owner, company);
    // Also far beyond the limit the form is read to its end, so that its sender gets an answer.
    for (const bytes of [10_001, 1_000_000]) {
      expect(await receive('PID 1', bytes), String(bytes)).to.equal('largeFile');
    }
    expect(await receive('PID 1', 9_000)).to.include({ bytes: 9_000 });
    for (const bytes of [6_001, 9_999])
      expect(await receive('PID 2', bytes), String(bytes)).to.equal('noRoom');
    expect(await receive('PID 2', 6_000)).to.include({ bytes: 6_000 });
    expect(await filesIn()).to.equal(2);
    await uploads.close();
  });

  it('are refused if the form ends too early, has too many parts, or is no form', async () => {
    const uploads = open();
    const part = (name: string, more = '') =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
    const file = part('file', '; filename="a.csv"');
    for (const text of [
      `${part('company')}WERK\r\n${file}x;y`,
      `${file}x;y`,
      `${part('company')}WERK\r\n${file}${'x'.repeat(5_000)}`,
      `${part('company')}WE`,
      `${Array.from({ length: 100 }, (_, number) => `${part(`f${number}`)}1\r\n`).join('')}--b--\r\n`,
      'x'.repeat(10_000),
    ]) {
      const outcome = await uploads.receive(Readable.from([text]), HEADERS, 'PID 1', company);
      expect(outcome, text.slice(0, 300)).to.be.oneOf(['brokenUpload', 'noFile']);
    }
    expect(await uploads.receive(Readable.from(['a=b']), {}, 'PID 1', company)).to.equal('noFile');
    expect(await filesIn()).to.equal(0);
    await uploads.close();
  });

  it('arrive one at a time from one person', async () => {
    const uploads = open();
    const slow = new PassThrough();
    const first = uploads.receive(slow, HEADERS, 'PID 1', company);
    const second = uploads.receive(formOf('b.csv', 'x'), HEADERS, 'PID 1', company);
    expect(await second).to.equal('otherImport');
    formOf('a.csv', 'x').pipe(slow);
    const upload = (await first) as Upload;
    expect(await readFile(upload.path, 'utf8')).to.equal('x');
    await uploads.close();
  });

  it('are not taken if the folder cannot be made', async () => {
    await writeFile(join(home, 'file'), '');
    const uploads = openUploads(join(home, 'file'), pino({ level: 'silent' }));
    const large = formOf('a.csv', 'x'.repeat(1_000_000));
    expect(await uploads.receive(large, HEADERS, 'PID 1', company)).to.equal('brokenUpload');
    await uploads.close();
  });

  it('cannot leave their folder, whatever they are called', async () => {
    const uploads = open();
    expect(await uploads.receive(formOf('..', 'x'), HEADERS, 'PID 1', company)).to.equal('noFile');
    for (const name of [
      '../../a.csv',
      '.csv',
      'a/b\\c.csv',
      'CON:a.csv',
      `${'ü'.repeat(300)}.csv`,
      `${'𝛥'.repeat(300)}csv`,
    ]) {
      const upload = (await uploads.receive(formOf(name, 'x'), HEADERS, 'PID 1', company)) as Upload;
      expect(upload.path, name).to.match(new RegExp(`^${home}/uploads-[^/]+/[^/]+/[^/]+$`));
      expect(await readFile(upload.path, 'utf8'), name).to.equal('x');
      expect(() => encodeURIComponent(upload.fileName), name).not.to.throw();
    }
    await uploads.close();
  });

  it('of a process that was killed more than a day ago are removed with the first new one', async () => {
    for (const name of ['uploads-old', 'uploads-new', 'data']) {
      await mkdir(join(home, name));
      await writeFile(join(home, name, 'a.csv'), 'x');
    }
    await utimes(join(home, 'uploads-old'), new Date(0), new Date(0));
    await utimes(join(home, 'data'), new Date(0), new Date(0));
    const uploads = open();
    await uploads.receive(formOf('a.csv', 'x'), HEADERS, 'PID 1', company);
    await uploads.close();
    expect((await readdir(home)).sort()).to.deep.equal(['data', 'uploads-new']);
  });
});
