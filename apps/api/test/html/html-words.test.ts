import { escapeHtml } from '@takt/pages';
import { languages } from '@takt/texts';
import { expect } from 'chai';
import { exactFormat, tableFormat } from '../../src/pages/sections.js';
import { fill, headingOf, wordings } from '../../src/pages/words.js';
import { listOf } from './sample-pages.js';

const productionTimes = listOf('ProductStructureVersionAggregatedProductionTimes');

describe('The words of HTML pages', () => {
  for (const language of languages) {
    it(`are escaped for HTML, with the same placeholders as in English: ${language}`, () => {
      const english: Readonly<Record<string, string>> = wordings.eng.texts;
      for (const [name, text] of Object.entries<string>(wordings[language].texts)) {
        expect(escapeHtml(text.replaceAll('&ndash;', '')), name).to.equal(text.replaceAll('&ndash;', ''));
        expect(text.match(/\{\d\}/g)?.sort(), name).to.deep.equal(english[name]?.match(/\{\d\}/g)?.sort());
      }
    });

    it(`include the headings of the resource definitions, escaped for HTML: ${language}`, () => {
      const words = { ...productionTimes.key.heading, [language]: '<Zeit> & "Ort"' };
      const escaped = '&lt;Zeit&gt; &amp; &quot;Ort&quot;';
      expect(headingOf({ heading: words }, wordings[language])).to.equal(escaped);
    });
  }

  it('can be filled with values that contain replacement patterns such as $&', () => {
    expect(fill('{0} of {1}', '$&', 2)).to.equal('$& of 2');
  });
});

describe('A number on an HTML page', () => {
  const german = tableFormat(wordings.deu);
  const english = tableFormat(wordings.eng);

  it('has two decimals in a table', () => {
    expect([0, 1, 1.005, 2.999, 0.29, 1.1].map(german)).to.deep.equal([
      '0,00',
      '1,00',
      '1,00',
      '3,00',
      '0,29',
      '1,10',
    ]);
  });

  it('is shown as less than the smallest number with two decimals if it would otherwise appear as zero', () => {
    expect(german(0.000001)).to.equal('&lt;0,01');
    expect(english(0.005)).to.equal('0.01');
  });

  it('is divided into groups of digits if it is large', () => {
    expect(english(9999.99)).to.equal('9999.99');
    expect(english(1234567.891)).to.equal('1&#8239;234&#8239;567.89');
    expect(english(-1.5)).to.equal('&minus;1.50');
  });

  it('keeps all its decimals in the exact format', () => {
    expect(exactFormat(wordings.fra)(0.000001)).to.equal('0,000001');
    expect(exactFormat(wordings.eng)(123456.654321)).to.equal('123456.654321');
  });
});
