import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
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
    expect(await receive('PID 1', 10_001)).to.equal('largeFile');
    expect(await receive('PID 1', 9_000)).to.include({ bytes: 9_000 });
    expect(await receive('PID 2', 6_001)).to.equal('noRoom');
    expect(await receive('PID 2', 6_000)).to.include({ bytes: 6_000 });
    expect(await filesIn()).to.equal(2);
    await uploads.close();
  });

  it('cannot leave their folder, whatever they are called', async () => {
    const uploads = open();
    expect(await uploads.receive(formOf('..', 'x'), HEADERS, 'PID 1', company)).to.equal('noFile');
    for (const name of ['../../a.csv', '.csv', 'a/b\\c.csv', 'CON:a.csv', `${'ü'.repeat(300)}.csv`]) {
      const upload = (await uploads.receive(formOf(name, 'x'), HEADERS, 'PID 1', company)) as Upload;
      expect(upload.path, name).to.match(new RegExp(`^${home}/uploads-[^/]+/[^/]+/[^/]+$`));
      expect(await readFile(upload.path, 'utf8'), name).to.equal('x');
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
