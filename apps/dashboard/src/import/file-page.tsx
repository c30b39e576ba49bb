import { type ImportedKind, type Mapping, tabulate } from '@takt/import';
import { type Markup, PlainTable } from '@takt/pages';
import { End, Facts, Figures, Note, Notice, Prose, WideTable } from '../pages/parts.js';
import type { DashboardText, Words } from '../words.js';
import type { Imported } from './import-order.js';
import { type ImportPageContext, Problem } from './import-pages.js';
import { labelOf, MappingLists } from './mapping-form.js';
import type { Upload } from './uploads.js';

interface FilePageProps extends ImportPageContext {
  readonly upload: Upload;
  /** The mapping as text, and parsed; undefined if the text is wrong. */
  readonly text: string;
  readonly mapping: Mapping | undefined;
  /** The reason why the mapping cannot be used, in English. */
  readonly wrongMapping: string | undefined;
  readonly apiUrl: string;
}

/** Returns the page of a file: what its import did or would do, its first rows, and the mapping. */
export function filePage(props: FilePageProps): Markup {
  const { upload, wrongMapping, base, words, apiUrl } = props;
  const { say } = words;
  const { run } = upload;
  const imported = run?.result?.kind === 'preview' || run?.result?.kind === 'import' ? run.result : undefined;
  const number = imported?.prepared.number;
  if (imported !== undefined && number !== undefined) {
    return (
      <Done imported={imported} number={number} upload={upload} apiUrl={apiUrl} base={base} words={words} />
    );
  }
  return (
    <>
      <p class="crumb">
        <a href={`${base}/import`}>{say('import')}</a>
      </p>
      <div class="title">
        <h1>{upload.fileName}</h1>
        <p class="note">
          {upload.company}, {words.bytes(upload.bytes)}
        </p>
      </div>
      {wrongMapping !== undefined && (
        <p class="refusal" role="alert" lang="en">
          {wrongMapping}
        </p>
      )}
      {run?.problem !== undefined && wrongMapping === undefined && <Problem run={run} words={words} />}
      {run?.result?.kind === 'look' && (
        <Notice text={noticeOfLook(run.result.isKnown, run.result.missing, words)} />
      )}
      {imported !== undefined && wrongMapping === undefined && (
        <Preview imported={imported} upload={upload} base={base} words={words} />
      )}
      <FirstRows upload={upload} words={words} />
      <MappingForms {...props} />
      <form class="results" method="post" action={`${base}/import/remove`}>
        <input type="hidden" name="id" value={upload.id} />
        <button type="submit">{say('removeFile')}</button>
      </form>
    </>
  );
}

function noticeOfLook(isKnown: boolean, missing: readonly string[], { say }: Words): string | undefined {
  if (isKnown) return say('asBefore');
  return missing.length > 0 ? say('missingColumns', missing.join(', ')) : undefined;
}

function FirstRows({
  upload: { headings, rows },
  words,
}: Pick<FilePageProps, 'upload' | 'words'>): Markup | null {
  const { say } = words;
  if (rows.length === 0) return null;
  const width = Math.max(headings.length, ...rows.map(({ length }) => length));
  const columns = Array.from({ length: width }, (_, place) => headings[place] ?? '');
  return (
    <section class="results">
      <h2>{say('firstRows')}</h2>
      <WideTable name={say('firstRows')} columns={columns} words={words}>
        {rows.map((cells) => (
          <tr>
            {columns.map((_, place) => (
              <td>{cells[place] ?? ''}</td>
            ))}
          </tr>
        ))}
      </WideTable>
    </section>
  );
}

const KINDS = { operations: 'holdsOperations', plans: 'holdsPlans' } as const satisfies Readonly<
  Record<ImportedKind, DashboardText>
>;

/** The mapping as lists, and as text for what lists cannot say. */
function MappingForms({ upload, text, mapping, wrongMapping, base, words }: FilePageProps): Markup {
  const { say } = words;
  const id = <input type="hidden" name="id" value={upload.id} />;
  const button = (
    <p>
      <button class="primary" type="submit">
        {say('preview')}
      </button>
    </p>
  );
  return (
    <section class="card results">
      <h2>{say('columnsOfFile')}</h2>
      {mapping !== undefined && (
        <>
          <form method="post" action={`${base}/import/kind`}>
            {id}
            <fieldset class="kinds">
              <legend>{say('fileHolds')}</legend>
              {(['operations', 'plans'] as const).map((what) => (
                <button type="submit" name="what" value={what} aria-pressed={String(what === mapping.what)}>
                  {say(KINDS[what])}
                </button>
              ))}
            </fieldset>
          </form>
          <p class="note">{say('columnsIntro')}</p>
          <form class="correct" method="post" action={`${base}/import/preview`}>
            {id}
            <MappingLists mapping={mapping} headings={upload.headings} words={words} />
            {button}
          </form>
        </>
      )}
      <details class="help" open={wrongMapping !== undefined}>
        <summary>{say('mappingAsText')}</summary>
        <p>{say('mappingHint')}</p>
        <form class="correct" method="post" action={`${base}/import/preview`}>
          {id}
          <textarea name="mapping" rows={18} cols={90} spellcheck={false} aria-label={say('mappingAsText')}>
            {`\n${text}`}
          </textarea>
          {button}
        </form>
      </details>
    </section>
  );
}

interface PreviewProps extends ImportPageContext {
  readonly imported: Imported;
  readonly upload: Upload;
}

/** Shows what an import would do, or why it did nothing, and the button that imports. */
function Preview({ imported, upload, base, words }: PreviewProps): Markup {
  const { say, number } = words;
  const { prepared, kind } = imported;
  const { new: added, changed, unchanged, faulty, doubts, unnamed } = prepared;
  const count = added + changed;
  const wasRefused = kind === 'import' && count > 0;
  return (
    <section class="card">
      <h2>{say('preview')}</h2>
      <p class="headline">
        {count === 0 ? say('wouldChangeNothing') : say('wouldChange', words.count('Object', count))}
      </p>
      {wasRefused && <Notice text={say('notYetImported')} />}
      <Figures
        all={[
          { name: say('rowsRead'), value: number(prepared.rows) },
          { name: say('newOnes'), value: number(added) },
          { name: say('changedOnes'), value: number(changed) },
          { name: say('unchangedOnes'), value: number(unchanged) },
          { name: say('faultyRows'), value: number(faulty), isBad: faulty > 0 },
        ]}
      />
      <Notes imported={imported} words={words} />
      <ReadRows imported={imported} words={words} />
      <Doubts doubts={doubts} words={words} />
      <Faulty imported={imported} upload={upload} base={base} words={words} />
      {count > 0 && unnamed === 0 && (
        <form class="correct" method="post" action={`${base}/import/begin`}>
          <input type="hidden" name="id" value={upload.id} />
          {faulty > 0 && <Tick name="skipsFaulty" label={say('leaveOutFaulty')} />}
          {doubts.length > 0 && <Tick name="ignoresDoubts" label={say('ignoreDoubts')} />}
          <p>
            <button class="primary" type="submit">
              {say('importNow')}
            </button>
          </p>
        </form>
      )}
      {count === 0 && faulty === 0 && <p>{say('nothingToImport')}</p>}
    </section>
  );
}

/** A tick that is needed, so that browsers ask for it. */
function Tick({ name, label }: { readonly name: string; readonly label: string }): Markup {
  return (
    <p>
      <label class="tick">
        <input type="checkbox" name={name} value="true" required /> {label}
      </label>
    </p>
  );
}

function Notes({ imported, words }: Pick<PreviewProps, 'imported' | 'words'>): Markup {
  const { say, number } = words;
  const { prepared, encoding, delimiter, sheet } = imported;
  const { decimal, formats, zone, unusedColumns } = prepared.understanding;
  const dates = Object.entries(formats);
  const parts = [
    ...(sheet === undefined
      ? [encoding, say('delimitedBy', delimiter === '\t' ? 'TAB' : delimiter)]
      : [say('sheet', sheet)]),
    ...(prepared.headingLine > 0 ? [say('headingsIn', number(prepared.headingLine))] : []),
    ...(decimal !== undefined && sheet === undefined ? [say('decimalSign', decimal)] : []),
    ...dates.map(([column, format]) => say('dateIs', column, format)),
    ...(dates.length > 0 ? [say('localTimes', zone)] : []),
  ];
  const notes = [
    [prepared.unnamed, 'unnamedRows'],
    [prepared.leftOut, 'leftOutRows'],
    [prepared.open, 'openOperations'],
    [prepared.pruned, 'prunedOperations'],
    [prepared.doubled, 'doubledRows'],
  ] as const;
  return (
    <>
      <Facts rows={[[say('understoodAs'), parts.join('; ')]]} />
      {unusedColumns.length > 0 && <Note>{say('unusedColumns', unusedColumns.join(', '))}</Note>}
      {notes.map(([count, text]) => (count > 0 ? <p>{say(text, number(count))}</p> : null))}
    </>
  );
}

function ReadRows({ imported, words }: Pick<PreviewProps, 'imported' | 'words'>): Markup | null {
  const { titles, rows } = tabulate(imported.prepared.first);
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{words.say('firstRead')}</h3>
      <WideTable
        name={words.say('firstRead')}
        columns={titles.map((title) => labelOf(title, words))}
        words={words}
      >
        {rows.map((cells) => (
          <tr>
            {cells.map((cell) => (
              <td>{readable(cell)}</td>
            ))}
          </tr>
        ))}
      </WideTable>
    </>
  );
}

/** Shows an instant without its T and milliseconds. */
const readable = (cell: string): string =>
  cell.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.000Z$/, '$1 $2 UTC');

function Doubts({
  doubts,
  words,
}: {
  readonly doubts: readonly string[];
  readonly words: Words;
}): Markup | null {
  if (doubts.length === 0) return null;
  return (
    <>
      <h3>{words.say('doubts')}</h3>
      <ul class="problems" lang="en">
        {doubts.map((doubt) => (
          <li>{doubt}</li>
        ))}
      </ul>
    </>
  );
}

function Faulty({ imported, upload, base, words }: PreviewProps): Markup | null {
  const { say } = words;
  if (imported.faulty.length === 0) return null;
  return (
    <>
      <h3>{say('faultyRows')}</h3>
      <PlainTable class="items" columns={[`>${say('lineHeading')}`, say('problemHeading')]}>
        {imported.faulty.map(({ line, column, rule, value }) => (
          <tr>
            <End>{line}</End>
            <td lang="en">
              {column} {rule} {value !== '' && <code>{value}</code>}
            </td>
          </tr>
        ))}
      </PlainTable>
      <FaultyLink upload={upload} base={base} words={words} />
    </>
  );
}

function FaultyLink({ upload, base, words }: Omit<PreviewProps, 'imported'>): Markup {
  return (
    <p>
      <a href={`${base}/import/faulty?id=${upload.id}`}>{words.say('allFaulty')}</a>
    </p>
  );
}

interface DoneProps extends ImportPageContext {
  readonly imported: Imported;
  readonly number: number;
  readonly upload: Upload;
  readonly apiUrl: string;
}

/** The address of the page with the figures of a company. */
const figuresOf = (apiUrl: string, company: string): string =>
  `${apiUrl}/product/structure-versions/aggregated-production-times?${new URLSearchParams({ $format: 'html', $db: company })}`;

function Done({ imported, number, upload, apiUrl, base, words }: DoneProps): Markup {
  const { say } = words;
  const { prepared, applied, unapplied } = imported;
  return (
    <div class="error confirm">
      <h1>{say('importedNumber', String(number))}</h1>
      <Figures
        all={[
          { name: say('newOnes'), value: words.number(prepared.new) },
          { name: say('changedOnes'), value: words.number(prepared.changed) },
          { name: say('unchangedOnes'), value: words.number(prepared.unchanged) },
          { name: say('faultyRows'), value: words.number(prepared.faulty) },
        ]}
      />
      {prepared.faulty > 0 && <FaultyLink upload={upload} base={base} words={words} />}
      {applied === 'no-worker' && <p>{say('noWorkerYet')}</p>}
      {unapplied > 0 && (
        <p>
          <Prose text={say('notApplied', words.number(unapplied))} href={`${base}/rejected`} />
        </p>
      )}
      <p>
        <Prose text={say('seeFigures')} href={figuresOf(apiUrl, upload.company)} />
      </p>
      <p>
        <a href={`${base}/import`}>{say('otherFile')}</a>
      </p>
      <p>
        <a href={`${base}/import/undo?number=${number}`}>{say('undo')}</a>
      </p>
    </div>
  );
}
