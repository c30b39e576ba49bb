import { gzipSync } from 'node:zlib';
import { languages } from '@takt/texts';
import { expect } from 'chai';
import { htmlWriter } from '../../src/pages/index.js';
import { contextOf, productionTimesPage } from './sample-pages.js';

const KILOBYTE = 1024;

describe('The page of 80 rows', () => {
  for (const view of ['over-plan', 'run']) {
    it(`takes at most 120 KB, and 50 KB compressed, in every language: ${view}`, () => {
      const page = productionTimesPage(80);
      for (const language of languages) {
        const parameters = [
          { name: 'view', value: view },
          { name: '$top', value: '80' },
          { name: '$lang', value: language },
          { name: '$orderby', value: 'RunTimeHoursOverPlan desc' },
        ];
        const html = [...htmlWriter.list(page, contextOf({ language, parameters }))].join('');
        expect(Buffer.byteLength(html), language).to.be.below(120 * KILOBYTE);
        expect(gzipSync(html).length, language).to.be.below(50 * KILOBYTE);
      }
    });
  }

  it('holds no sign above U+00FF in English, with which the whole would be written in two bytes a sign', () => {
    for (const view of ['over-plan', 'run']) {
      const parameters = [
        { name: 'view', value: view },
        { name: '$orderby', value: 'RunTimeHoursOverPlan desc' },
      ];
      const html = [
        ...htmlWriter.list(productionTimesPage(80), contextOf({ language: 'eng', parameters })),
      ].join('');
      expect(html.match(/[^\0-\xFF]/g), view).to.equal(null);
    }
  });
});
