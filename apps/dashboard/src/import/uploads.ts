import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { dirname, join } from 'node:path';
import { PassThrough, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { Logger } from '@takt/run';
import type { ImportRun } from './import-runs.js';

/** A file that a person has uploaded, and the steps of its import. */
export interface Upload {
  readonly id: string;
  readonly owner: string;
  readonly company: string;
  /** Path of the file. Its last part is the name that the person's machine gave it. */
  readonly path: string;
  readonly fileName: string;
  bytes: number;
  usedAtMs: number;
  /** The mapping as YAML. */
  mapping: string;
  /** The headings of the file, which the mapping is chosen from. */
  headings: readonly string[];
  /** The first rows of the file, as they are. */
  rows: readonly (readonly string[])[];
  /** The last step. */
  run: ImportRun | undefined;
}

/** The reason why a file was not taken, by the name of its text. */
export type UploadProblem = 'noFile' | 'largeFile' | 'noRoom' | 'brokenUpload' | 'otherImport';

/** Returns the company of the fields of a form that come before the file; undefined refuses the file. */
type CompanyOf = (fields: ReadonlyMap<string, string>) => string | undefined;

export interface Uploads {
  /** Receives a form with a file, one at a time of an owner. It replaces the previous file of the owner. */
  receive(
    stream: Readable,
    headers: IncomingHttpHeaders,
    owner: string,
    companyOf: CompanyOf,
  ): Promise<Upload | UploadProblem>;
  /** Returns a file of the owner, and keeps it for two more hours. */
  find(id: string, owner: string): Upload | undefined;
  /** Returns the file of the owner; undefined if there is none. */
  latestOf(owner: string): Upload | undefined;
  /** Removes a file from the disk. Its steps and its faulty rows are kept. */
  discard(upload: Upload): Promise<void>;
  /** Removes a file from the disk and forgets it. */
  remove(upload: Upload): Promise<void>;
  /** Removes all files. */
  close(): Promise<void>;
}

interface UploadLimits {
  readonly maxFileBytes: number;
  /** Maximum size of all files together. A workbook is unpacked into a temporary file besides. */
  readonly maxFolderBytes: number;
}

const LIMITS: UploadLimits = { maxFileBytes: 500_000_000, maxFolderBytes: 2_000_000_000 };
const KEPT_MS = 2 * 3_600_000;
const SWEEP_EVERY_MS = 60_000;
/** A name has at most 255 bytes, and a character up to 4. */
const MAX_NAME_CHARACTERS = 60;
const PREFIX = 'uploads-';
const LEFT_BEHIND_MS = 24 * 3_600_000;
const FORM_LIMITS = { files: 1, fields: 4, fieldSize: 200, parts: 6, headerPairs: 20, headerSize: 4_096 };

/** Thrown while a file arrives. */
class RefusedUpload extends Error {
  readonly problem: UploadProblem;

  constructor(problem: UploadProblem) {
    super(problem);
    this.problem = problem;
  }
}

/**
 * Opens the place of uploaded files, a new folder in `home`. It is made for the first file and removed at the end. The steps of
 * an import are kept in memory, so files of an earlier process are of no use.
 */
export function openUploads(home: string, logger: Logger, limits: UploadLimits = LIMITS): Uploads {
  const uploads = new Map<string, Upload>();
  /** The owners of files that are arriving. */
  const arriving = new Set<string>();
  let making: Promise<string> | undefined;
  const remove = async (upload: Upload) => {
    uploads.delete(upload.id);
    await rm(dirname(upload.path), { recursive: true, force: true });
  };
  const sweep = async () => {
    const old = [...uploads.values()].filter(
      ({ usedAtMs, run }) => Date.now() - usedAtMs > KEPT_MS && run?.isRunning !== true,
    );
    for (const upload of old) await remove(upload);
    // Otherwise another process would take it for that of a killed one.
    const folder = await making;
    if (folder !== undefined) await utimes(folder, new Date(), new Date());
  };
  const sweeping = setInterval(() => void sweep().catch(() => undefined), SWEEP_EVERY_MS).unref();
  /** Makes the folder, unless there is one. */
  const folderOfAll = async () => {
    making ??= makeFolder(home);
    making.catch(() => {
      making = undefined;
    });
    return making;
  };

  /** Passes a file on, and throws if it is too large. */
  const limited = (upload: Upload) =>
    new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        upload.bytes += chunk.length;
        const all = [...uploads.values()].reduce((sum, { bytes }) => sum + bytes, 0);
        if (upload.bytes > limits.maxFileBytes) return done(new RefusedUpload('largeFile'));
        return all > limits.maxFolderBytes ? done(new RefusedUpload('noRoom')) : done(null, chunk);
      },
    });

  const write = async (content: Readable, givenName: string, owner: string, company: string) => {
    const id = randomUUID();
    const folder = join(await folderOfAll(), id);
    const fileName = cleanName(givenName);
    const upload: Upload = {
      id,
      owner,
      company,
      path: join(folder, fileName),
      fileName,
      bytes: 0,
      usedAtMs: Date.now(),
      mapping: '',
      headings: [],
      rows: [],
      run: undefined,
    };
    uploads.set(id, upload);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await pipeline(content, limited(upload), createWriteStream(upload.path, { mode: 0o600 }));
      if (upload.bytes === 0) throw new RefusedUpload('noFile');
      return upload;
    } catch (error) {
      await remove(upload);
      throw error;
    }
  };

  /** Reads a form to its end and writes its file. */
  const readForm = async (
    stream: Readable,
    headers: IncomingHttpHeaders,
    owner: string,
    companyOf: CompanyOf,
  ) => {
    const form = openForm(headers);
    const fields = new Map<string, string>();
    const content = new PassThrough();
    let upload: Promise<Upload> | undefined;
    form.on('field', (name, value) => fields.set(name, value));
    form.on('file', (_name, file, fileName) => {
      // The parser reports a body that ends too early on the file.
      file.on('error', (error) => content.destroy(error));
      const company = companyOf(fields);
      if (company === undefined || fileName === '') {
        file.resume();
        return;
      }
      file.pipe(content);
      upload = write(content, fileName, owner, company);
      upload.catch(() => {
        // The rest of a refused file is read, because a browser reads no answer before it has sent everything.
        file.unpipe(content);
        file.resume();
      });
    });
    for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
      form.on(limit, () => form.destroy(new RefusedUpload('brokenUpload')));
    }
    content.on('error', () => undefined);
    try {
      await pipeline(stream, form);
    } catch (error) {
      // The parser does not end the file if the client leaves.
      content.destroy(error as Error);
      await upload?.then(remove, () => undefined);
      throw error;
    }
    return upload;
  };

  return {
    receive: async (stream, headers, owner, companyOf) => {
      if (arriving.has(owner)) return 'otherImport';
      arriving.add(owner);
      try {
        const earlier = [...uploads.values()].filter((upload) => upload.owner === owner);
        const upload = await readForm(stream, headers, owner, companyOf);
        if (upload === undefined) return 'noFile';
        for (const one of earlier) await remove(one);
        return upload;
      } catch (error) {
        if (error instanceof RefusedUpload) return error.problem;
        logger.warn({ error: (error as Error).message }, 'an upload was not received');
        return 'brokenUpload';
      } finally {
        arriving.delete(owner);
      }
    },
    find: (id, owner) => {
      const upload = uploads.get(id);
      if (upload?.owner !== owner) return undefined;
      upload.usedAtMs = Date.now();
      return upload;
    },
    latestOf: (owner) =>
      [...uploads.values()].findLast((upload) => upload.owner === owner && upload.bytes > 0),
    discard: async (upload) => {
      upload.bytes = 0;
      await rm(upload.path, { force: true });
    },
    remove,
    close: async () => {
      clearInterval(sweeping);
      const folder = await making?.catch(() => undefined);
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes the folder of this process, and removes those of processes that were killed more than a day ago. */
async function makeFolder(home: string): Promise<string> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  for (const name of await readdir(home)) {
    if (!name.startsWith(PREFIX)) continue;
    const { mtimeMs } = await stat(join(home, name));
    if (Date.now() - mtimeMs > LEFT_BEHIND_MS) await rm(join(home, name), { recursive: true, force: true });
  }
  return mkdtemp(join(home, PREFIX));
}

/** Opens a parser for a form with a file. Throws a RefusedUpload if the request has no such form. */
function openForm(headers: IncomingHttpHeaders) {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) throw new RefusedUpload('noFile');
  return new Busboy({ headers: headers as BusboyHeaders, limits: FORM_LIMITS });
}

/** Returns a name that is safe on any disk, with its end, which says what kind of file it is. */
function cleanName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they have no place in the name of a file
  const plain = name.normalize('NFC').replaceAll(/[\u0000-\u001f\u007f/\\:*?"<>|]+/g, '_');
  return [...plain.replace(/^\.+/, '_')].slice(-MAX_NAME_CHARACTERS).join('');
}
