import type { ErrorDescription } from '@takt/error-catalogue';
import { error as definition } from '@takt/resources';
import { outlineOfGroup } from './outline.js';
import type { OutlineGroup, Row } from './page.js';

const outline = outlineOfGroup(definition);

/** An error as an outline and its values. The status is text: clients rely on it. */
export function describeErrorDocument(error: ErrorDescription): {
  readonly outline: OutlineGroup;
  readonly row: Row;
} {
  return { outline, row: [String(error.status), error.statusDescription, ...withoutStatus(error)] };
}

function withoutStatus(error: ErrorDescription): Row {
  return [
    error.message,
    error.translatedMessage,
    error.errorMessageId,
    error.errorMessageId,
    error.parameters.map(({ index, value }) => [index, value]),
    error.innerErrors.map(withoutStatus),
  ];
}
