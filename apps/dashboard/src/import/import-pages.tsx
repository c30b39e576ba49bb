import type { Import } from '@takt/import';
import type { Markup } from '@takt/pages';
import { Ago, End, Note, Notice, Prose, RowHead, WideTable } from '../pages/parts.js';
import type { Words } from '../words.js';
import type { UndoneImport } from './import-order.js';
import type { ImportRun } from './import-runs.js';
import type { Upload } from './uploads.js';

/** The context of every page of imports. */
export interface ImportPageContext {
  readonly base: string;
  readonly words: Words;
}

interface ImportsPageProps extends ImportPageContext {
  readonly imports: readonly Import[];
  readonly maxListed: number;
  /** The companies of the person. */
  readonly companies: readonly string[];
  readonly waiting: Upload | undefined;
  readonly notice: string | undefined;
}

/** Returns the first page: a form for a file, and the imports so far. */
export function importsPage(props: ImportsPageProps): Markup {
  const { imports, maxListed, companies, waiting, notice, base, words } = props;
  const { say } = words;
  return (
    <>
      <div class="title">
        <h1>{say('import')}</h1>
      </div>
      <p class="intro">{say('importIntro')}</p>
      <Notice text={notice} />
      {waiting !== undefined && (
        <p class="selection">
          <Prose text={say('continueFile', waiting.fileName)} href={`${base}/import/file?id=${waiting.id}`} />
        </p>
      )}
      <form class="card" method="post" action={`${base}/import/upload`} enctype="multipart/form-data">
        <label>
          {say('company')}{' '}
          <select name="company">
            {companies.map((code) => (
              <option value={code}>{code}</option>
            ))}
          </select>
        </label>
        <label>
          {say('chooseFile')} <input type="file" name="file" accept=".csv,.tsv,.txt,.xlsx" required />
        </label>
        <button class="primary" type="submit">
          {say('readFile')}
        </button>
      </form>
      <section class="results">
        <h2>{say('imports')}</h2>
        {imports.length === 0 ? <p>{say('nothingImported')}</p> : <ImportList {...props} />}
        {imports.length === maxListed && (
          <p class="note">
            <Prose text={say('onlyNewestImports', words.number(maxListed))} />
          </p>
        )}
      </section>
    </>
  );
}

function ImportList({ imports, base, words }: ImportsPageProps): Markup {
  const { say, number } = words;
  const counts = [say('newOnes'), say('changedOnes'), say('unchangedOnes'), say('faultyRows')];
  const columns = [
    `>${say('number')}`,
    say('file'),
    say('company'),
    say('when'),
    say('by'),
    say('state'),
    ...counts.map((name) => `>${name}`),
    say('undo'),
  ];
  return (
    <WideTable name={say('imports')} columns={columns} words={words}>
      {imports.map((one) => (
        <tr>
          <End>{one.number}</End>
          <RowHead more={say(one.what === 'plans' ? 'holdsPlans' : 'holdsOperations')}>
            {one.fileName}
          </RowHead>
          <td>{one.companyCode}</td>
          <td>
            <Ago ms={one.startedAt.getTime()} words={words} />
          </td>
          <td>{one.importedBy}</td>
          <td>{say(stateOf(one))}</td>
          {[one.new, one.changed, one.unchanged, one.faulty].map((count) => (
            <End>{number(count)}</End>
          ))}
          <td>
            {/* An undo may be repeated: it may have been interrupted. */}
            <a
              href={`${base}/import/undo?number=${one.number}`}
              aria-label={say('undoImport', String(one.number))}
            >
              {say('undo')}
            </a>
          </td>
        </tr>
      ))}
    </WideTable>
  );
}

function stateOf({ publishedAt, undoneAt }: Import) {
  if (undoneAt !== null) return 'stateUndone';
  return publishedAt === null ? 'stateUnfinished' : 'stateImported';
}

/** Returns the page that asks before an import is undone, or that shows its result. */
export function undoPage({
  number,
  run,
  base,
  words,
}: ImportPageContext & { readonly number: number; readonly run: ImportRun | undefined }): Markup {
  const { say } = words;
  const back = (
    <p>
      <a href={`${base}/import`}>{say('imports')}</a>
    </p>
  );
  const result = run?.result?.kind === 'undo' ? run.result : undefined;
  return (
    <div class="error confirm">
      <h1>{say(result === undefined ? 'undoImport' : 'undoneImport', String(number))}</h1>
      {run?.problem !== undefined && <Problem run={run} words={words} />}
      {result === undefined ? (
        <form method="post" action={`${base}/import/undo`}>
          <input type="hidden" name="number" value={String(number)} />
          <button class="danger" type="submit">
            {say('undo')}
          </button>
          <Note>{say('undoImportEffect')}</Note>
        </form>
      ) : (
        <UndoResult undone={result} words={words} />
      )}
      {back}
    </div>
  );
}

function UndoResult({ undone, words }: { readonly undone: UndoneImport; readonly words: Words }): Markup {
  const { say, number } = words;
  const { restored, later, laterCount, isFreed } = undone;
  const named = later.join(', ');
  const more = laterCount - later.length;
  return (
    <>
      <p>{say('restoredCount', number(restored))}</p>
      {laterCount > 0 && <p>{say('changedLater', more > 0 ? say('andMore', named, number(more)) : named)}</p>}
      {isFreed && <p>{say('namingFreed')}</p>}
    </>
  );
}

const PHASES = {
  looking: 'phaseLooking',
  waiting: 'phaseWaiting',
  reading: 'phaseLooking',
  comparing: 'phaseComparing',
  publishing: 'phasePublishing',
  applying: 'phaseApplying',
  undoing: 'phaseUndoing',
} as const;

/** Returns the page that shows the progress of a run. */
export function progressPage({
  run,
  heading,
  self,
  stopFields,
  base,
  words,
}: ImportPageContext & {
  readonly run: ImportRun;
  readonly heading: string;
  /** Path and query of the page. */
  readonly self: string;
  /** Fields that name the run to stop; undefined if it cannot be stopped. */
  readonly stopFields: Readonly<Record<string, string>> | undefined;
}): Markup {
  const { say } = words;
  const { phase, done, total } = run;
  return (
    <div class="error confirm" data-reload="1">
      <p class="status">{heading}</p>
      <h1>{say(PHASES[phase])}</h1>
      {total === undefined ? (
        <progress aria-label={say('progress')} />
      ) : (
        <progress max={total} value={Math.min(done, total)} aria-label={say('progress')} />
      )}
      <p>{progressOf(run, words)}</p>
      {stopFields !== undefined && (
        <form method="post" action={`${base}/import/stop`}>
          {Object.entries(stopFields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <button type="submit">{say('stop')}</button>
          <Note>{say('stopHint')}</Note>
        </form>
      )}
      <p>
        <a href={self}>{say('lookAgain')}</a>
      </p>
    </div>
  );
}

function progressOf({ phase, done, total }: ImportRun, { say, number, bytes }: Words): string {
  const format = phase === 'reading' ? bytes : number;
  if (total !== undefined) return say('doneOf', format(done), format(total));
  if (phase === 'waiting' || phase === 'applying') return done > 0 ? say('jobsLeft', number(done)) : '';
  return done > 0 ? number(done) : '';
}

/** Shows why a run failed. Texts of the importer are in English. */
export function Problem({ run, words }: { readonly run: ImportRun; readonly words: Words }): Markup | null {
  const { problem } = run;
  if (problem === undefined) return null;
  return 'say' in problem ? (
    <p class="refusal" role="alert">
      {words.say(problem.say)}
    </p>
  ) : (
    <p class="refusal" role="alert" lang="en">
      {problem.text}
    </p>
  );
}
