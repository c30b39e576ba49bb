import type { Group, Node } from '../field.js';
import { documentNodes } from '../nodes-with.js';

const { collection, group, integer, link, text } = documentNodes;

/** What a nested error says too. */
const described = (): readonly Node[] => [
  text('Message', 'Detailed English message, with parameter values already substituted.'),
  text('TranslatedMessage', 'The message in the language of $lang; without it the English one.'),
  group('ErrorMessage', 'Reference to the error message.', [
    integer('ErrorMessageId', 'Unique identifier of the error message.'),
    link('ErrorMessageLink', 'Reference to the error message.', '/system/error-messages/{}'),
  ]),
  collection('Parameters', 'Parameters used in the message; may be empty.', () =>
    group('Parameter', 'A parameter of the message.', [
      integer('Index', 'Zero-based position of the parameter.'),
      text('Value', 'Value of the parameter.'),
    ]),
  ),
  collection('InnerErrors', 'Nested errors; may be empty.', () =>
    group('InnerError', 'A nested error: the same without the HTTP status.', described()),
  ),
];

/** What every failed request is answered with. The values are made by the service. */
export const error: Group = group('Error', 'What went wrong, and what to do about it.', [
  text('HTTPStatusCode', 'HTTP status code of the response.'),
  text('HTTPStatusDescription', 'Short description of the status code, written as one word.'),
  ...described(),
]);
