import type { DatabaseOptions } from '@takt/database';
import type { Applied, FaultyRow, ImportedKind, PreparedImport, Undone } from '@takt/import';

/** The path of the file with the faulty rows of a file. */
export const faultyPathOf = (path: string): string => `${path}.faulty.csv`;

/** The work of a thread. */
export type ImportOrder =
  /** Recognises a file and proposes a mapping. */
  | {
      readonly kind: 'look';
      readonly path: string;
      readonly company: string;
      /** The kind of file; undefined if its headings decide. */
      readonly what?: ImportedKind | undefined;
    }
  | {
      readonly kind: 'preview' | 'import';
      readonly path: string;
      readonly company: string;
      /** As YAML. */
      readonly mapping: string;
      readonly skipsFaulty: boolean;
      readonly ignoresDoubts: boolean;
    }
  | { readonly kind: 'undo'; readonly company: string; readonly number: number };

export interface ThreadData {
  readonly order: ImportOrder;
  readonly database: DatabaseOptions;
  readonly queueUrl: string;
  readonly maxAheadMs: number;
  /** The session of the person. Its rights are looked up again before anything is recorded. */
  readonly token: string;
  /** The name of the person. */
  readonly by: string;
  /** True if the person may read plans. */
  readonly seesPlans: boolean;
}

/** How a file was recognised. */
export interface Look {
  readonly kind: 'look';
  /** The proposed mapping as YAML. */
  readonly mapping: string;
  /** True if an earlier import of the company had this mapping. */
  readonly isKnown: boolean;
  /** The fields that no column was found for. */
  readonly missing: readonly string[];
  readonly headings: readonly string[];
  /** The first rows as they are. */
  readonly rows: readonly (readonly string[])[];
}

/** The outcome of a preview or of an import. */
export interface Imported {
  readonly kind: 'preview' | 'import';
  readonly prepared: PreparedImport;
  readonly encoding: string;
  readonly delimiter: string;
  readonly sheet: string | undefined;
  /** The first faulty rows. All of them are in the file of faulty rows. */
  readonly faulty: readonly FaultyRow[];
  /** How the wait for the workers ended; undefined if nothing was published. */
  readonly applied: Applied | undefined;
  /** Number of changes that the workers did not apply. */
  readonly unapplied: number;
}

export interface UndoneImport extends Undone {
  readonly kind: 'undo';
  /** True if the company may choose keys or numbers again. */
  readonly isFreed: boolean;
}

export type ImportResult = Look | Imported | UndoneImport;

export type Phase = 'looking' | 'waiting' | 'reading' | 'comparing' | 'publishing' | 'applying' | 'undoing';

/** Why a run failed: a text of the importer, which is English, or the name of a text of the dashboard. */
export type RunProblem =
  | { readonly text: string }
  | { readonly say: 'importBroken' | 'importStopped' | 'importTooLarge' | 'plansNeedDuty' };

/** A message of the thread. */
export type FromThread =
  | {
      readonly kind: 'progress';
      readonly phase: Phase;
      readonly done: number;
      readonly total?: number | undefined;
    }
  | { readonly kind: 'done'; readonly result: ImportResult }
  | { readonly kind: 'failed'; readonly problem: RunProblem; readonly error: string };
