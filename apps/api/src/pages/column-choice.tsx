import { browsedField, type ListResource } from '@takt/catalogue/resources';
import type { Markup } from '@takt/pages';
import { FORM_PARAMETER, type QueryParameter } from '@takt/query';
import type { Language } from '@takt/texts';
import type { WritingContext } from '../representations/writer.js';
import type { Browse } from './browse.js';
import { formAddress, HiddenInputs, ownAddress, writtenIn } from './own-links.js';

/** The parameter with the columns that the page leaves out. A saved view keeps it. */
const HIDE = 'hide';
/** The value of the form parameter by which this form is known, and the name of its boxes. */
const COLUMNS_FORM = 'columns';
const SHOW = 'show';

/** The names of the columns that the page leaves out: of figures of the row, and of comparisons. */
export const hiddenColumns = (context: WritingContext): ReadonlySet<string> =>
  new Set(writtenIn(context, HIDE).split(','));

interface ChosenColumn {
  readonly name: string;
  readonly title: string;
}

/** The columns that a reader can leave out. A comparison counts as one, because its figures explain each other. */
function columnsOf(resource: ListResource, language: Language): readonly ChosenColumn[] {
  const figures = (resource.browsing?.figures ?? []).filter(
    ({ field }) => browsedField(resource, field) !== undefined,
  );
  return [
    ...figures.map(({ field, heading }) => ({ name: field, title: heading[language] })),
    ...resource.comparisons.map(({ name, heading }) => ({ name, title: heading[language] })),
  ];
}

/** A form to choose the columns of a list. */
export function ColumnChoice({ browse }: { readonly browse: Browse }): Markup | null {
  const { resource, context, wording, view } = browse;
  const { texts, language } = wording;
  const columns = columnsOf(resource, language);
  // The view of one kind of time exists for its columns.
  if (columns.length < 2 || view?.comparison !== undefined) return null;
  const hidden = hiddenColumns(context);
  return (
    <details class="help columns">
      <summary>{texts.columns}</summary>
      <form method="get" action={formAddress(context)}>
        <HiddenInputs context={context} changes={{ [HIDE]: undefined, [FORM_PARAMETER]: COLUMNS_FORM }} />
        {columns.map(({ name, title }) => (
          <label>
            <input type="checkbox" name={SHOW} value={name} checked={!hidden.has(name)} /> {title}
          </label>
        ))}
        <button type="submit">{texts.apply}</button>
        {writtenIn(context, HIDE) !== '' && (
          <a href={ownAddress(context, { [HIDE]: undefined })}>{texts.allColumns}</a>
        )}
      </form>
    </details>
  );
}

/**
 * Turns the form that chooses columns into parameters: those without a tick are left out. Returns undefined if the
 * parameters are of another form.
 */
export function readColumnsForm(
  resource: ListResource,
  parameters: readonly QueryParameter[],
): readonly QueryParameter[] | undefined {
  const isOfForm = ({ name, value }: QueryParameter) => name === FORM_PARAMETER && value === COLUMNS_FORM;
  if (!parameters.some(isOfForm)) return undefined;
  const shown = parameters.filter(({ name }) => name === SHOW).map(({ value }) => value);
  const hidden = columnsOf(resource, 'eng')
    .map(({ name }) => name)
    .filter((name) => !shown.includes(name));
  const others = parameters.filter(({ name }) => name !== SHOW);
  return hidden.length === 0 ? others : [...others, { name: HIDE, value: hidden.join(',') }];
}
