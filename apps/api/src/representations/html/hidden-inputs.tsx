import type { Markup } from '@takt/pages';
import type { WritingContext } from '../page.js';
import { type Changes, changedParameters } from './own-links.js';

/** The parameters that a form does not ask for. */
export function HiddenInputs({
  context,
  changes,
}: {
  readonly context: WritingContext;
  readonly changes: Changes;
}): Markup {
  return (
    <>
      {changedParameters(context, changes).map(({ name, value }) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
