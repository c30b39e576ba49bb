import { HtmlValidate, StaticConfigLoader } from 'html-validate';

/** Half of the recommended rules are about style, such as how tags without content are closed, or how long a title is. */
const checker = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended'],
    rules: {
      'long-title': 'off',
      'no-trailing-whitespace': 'off',
      // Boxes of one question share a name, so that all that are ticked are sent.
      'form-dup-name': ['error', { shared: ['radio', 'button', 'reset', 'submit', 'checkbox'] }],
      'aria-label-misuse': ['error', { allowAnyNamable: true }],
      // How JSX is written.
      'void-style': 'off',
      'attribute-boolean-style': 'off',
    },
  }),
);

/** What is wrong with a document, each with its place; empty: nothing. */
export async function findHtmlFaults(html: string): Promise<readonly string[]> {
  const { results } = await checker.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId} ${message}`),
  );
}
