import { HtmlValidate, StaticConfigLoader } from 'html-validate';

/**
 * Checks HTML by the recommended rules. Half of these rules are about style, such as closing empty tags or the length
 * of titles, and are switched off.
 */
const checker = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended'],
    rules: {
      'long-title': 'off',
      'no-trailing-whitespace': 'off',
      // The checkboxes of one question share a name, so that all ticked checkboxes are sent.
      'form-dup-name': ['error', { shared: ['radio', 'button', 'reset', 'submit', 'checkbox'] }],
      'aria-label-misuse': ['error', { allowAnyNamable: true }],
      // The rule is off because JSX has its own style for empty tags.
      'void-style': 'off',
      'attribute-boolean-style': 'off',
    },
  }),
);

/** Returns the errors of a document, each with its position. The list is empty if there are no errors. */
export async function findHtmlFaults(html: string): Promise<readonly string[]> {
  const { results } = await checker.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId} ${message}`),
  );
}
