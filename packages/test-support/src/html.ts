import { HtmlValidate, StaticConfigLoader } from 'html-validate';

/**
 * Half of the recommended rules are about style, such as closing empty tags or the length of titles, and are switched
 * off.
 */
const checker = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended'],
    rules: {
      'long-title': 'off',
      'no-trailing-whitespace': 'off',
      // Checkboxes of one question share a name, so that all ticked ones are sent.
      'form-dup-name': ['error', { shared: ['radio', 'button', 'reset', 'submit', 'checkbox'] }],
      'aria-label-misuse': ['error', { allowAnyNamable: true }],
      // The style in which JSX writes empty tags.
      'void-style': 'off',
      'attribute-boolean-style': 'off',
    },
  }),
);

/** The errors of a document, each with its position; empty if there are none. */
export async function findHtmlFaults(html: string): Promise<readonly string[]> {
  const { results } = await checker.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId} ${message}`),
  );
}
