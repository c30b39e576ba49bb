import { pageScript } from '@takt/pages';
import { findHtmlFaults, someOf } from '@takt/test-support';
import { languages } from '@takt/texts';
import { expect } from 'chai';
import { htmlWriter } from '../../src/pages/index.js';
import { samplePages } from './sample-pages.js';

describe('An HTML page', () => {
  for (const [name, html] of samplePages(htmlWriter)) {
    it(`is valid HTML: ${name}`, async () => {
      expect(await findHtmlFaults(html)).to.deep.equal([]);
    });

    it(`contains no inline script and no style: ${name}`, () => {
      expect(html.match(/<script[^>]*>/g)).to.deep.equal([`<script src="/api${pageScript.path}" defer="">`]);
      expect(html).not.to.match(/<[^>]*\s(?:style|on[a-z]+)=|javascript:/i);
      expect(html).not.to.include('<style');
    });
  }

  for (const language of someOf(languages, 2)) {
    it(`is valid and completely translated: ${language}`, async () => {
      for (const html of samplePages(htmlWriter, { language }).values()) {
        expect(html).not.to.match(/undefined|NaN|\[object/);
        expect(await findHtmlFaults(html)).to.deep.equal([]);
      }
    });
  }
});
