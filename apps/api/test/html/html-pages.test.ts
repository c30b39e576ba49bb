import { languages } from '@takt/error-catalogue';
import { expect } from 'chai';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { htmlWriter } from '../../src/representations/html/html-writer.js';
import { samplePages } from './sample-pages.js';

/** Half of these rules are about style: void tags, the order of attributes, the length of an id. */
const checker = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended'],
    rules: { 'long-title': 'off', 'aria-label-misuse': ['error', { allowAnyNamable: true }] },
  }),
);

describe('An HTML page', () => {
  for (const [name, html] of samplePages(htmlWriter)) {
    it(`is valid HTML: ${name}`, async () => {
      const { results } = await checker.validateString(html);
      const messages = results.flatMap((result) => result.messages);
      expect(
        messages.map(({ ruleId, message, line, column }) => `${line}:${column} ${ruleId} ${message}`),
      ).to.deep.equal([]);
    });

    it(`needs no script and no style of an element: ${name}`, () => {
      expect(html).not.to.match(/<script|<[^>]*\s(?:style|on[a-z]+)=|javascript:/i);
      expect(html.match(/<style>/g)).to.have.length(1);
    });
  }

  for (const language of languages) {
    it(`leaves no word without its translation: ${language}`, async () => {
      for (const html of samplePages(htmlWriter, { language }).values()) {
        expect(html).not.to.match(/undefined|NaN|\[object/);
        const { valid } = await checker.validateString(html);
        expect(valid).to.equal(true);
      }
    });
  }
});
