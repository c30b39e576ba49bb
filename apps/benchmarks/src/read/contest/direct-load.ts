import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadResult } from './http-load.js';
import type { RecordedStatement } from './statement-recorder.js';

/** What the process that executes statements is told. */
export interface DirectLoad {
  /** For the log-in of the API, or of the worker where the API may not read what is executed. */
  readonly databaseUrl: string;
  /** Of the company whose rows the API sees. */
  readonly companyKey: string;
  /** What each request makes the API execute, one statement after the other. */
  readonly requests: readonly (readonly RecordedStatement[])[];
  readonly connections: number;
  readonly seconds: number;
}

const MAIN = fileURLToPath(new URL('./direct-load-main.js', import.meta.url));

/** Executes the requests' statements in turn on some connections and does nothing with what they give, in its own process. */
export function runDirectLoad(load: DirectLoad): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(MAIN);
    child.once('message', (result) => resolve(result as LoadResult));
    child.once('exit', (code) => reject(new Error(`executing statements ended with ${code}`)));
    child.send(load);
  });
}
