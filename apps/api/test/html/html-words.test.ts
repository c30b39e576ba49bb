import { escapeHtml } from '@takt/pages';
import { languages, type TimeUnit } from '@takt/texts';
import { expect } from 'chai';
import {
  countFormat,
  exactFormat,
  percentText,
  sumFormat,
  timeFormat,
  withUnit,
} from '../../src/pages/number-format.js';
import { fill, headingOf, wordingOf, wordings } from '../../src/pages/words.js';
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
  const german = sumFormat(wordings.deu);
  const english = sumFormat(wordings.eng);

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

  it('is divided into groups of three digits, as usual in the language', () => {
    expect(english(999.99)).to.equal('999.99');
    expect(english(1234567.891)).to.equal('1,234,567.89');
    expect(german(1234.5)).to.equal('1.234,50');
    expect(sumFormat(wordings.nob)(1234.5)).to.equal('1&#8239;234,50');
    expect(countFormat(wordings.eng)(-1234)).to.equal('&minus;1,234');
    expect(percentText(wordings.eng)(1234)).to.equal('+1,234&nbsp;%');
    expect(english(-1.5)).to.equal('&minus;1.50');
  });

  it('keeps all its decimals in the exact format', () => {
    expect(exactFormat(wordings.fra)(0.000001)).to.equal('0,000001');
    expect(exactFormat(wordings.eng)(123456.654321)).to.equal('123456.654321');
  });
});

describe('The time of an operation on an HTML page', () => {
  const inUnit = (timeUnit: TimeUnit) => wordingOf({ language: 'eng', timeUnit });

  it('is shown in hours, in minutes, or in hours and minutes', () => {
    const times = [0, 0.72, 1.5, 26.05, 1234.5, 0.001];
    const shown = (unit: TimeUnit) => times.map(timeFormat(inUnit(unit)));
    expect(shown('h')).to.deep.equal(['0.00', '0.72', '1.50', '26.05', '1,234.50', '&lt;0.01']);
    expect(shown('min')).to.deep.equal(['0.0', '43.2', '90.0', '1,563.0', '74,070.0', '0.1']);
    expect(shown('h:mm')).to.deep.equal(['0:00', '0:43', '1:30', '26:03', '1,234:30', '&lt;0:01']);
    expect(withUnit('43.2', inUnit('min'))).to.equal('43.2&nbsp;min');
    expect(withUnit('0:43', inUnit('h:mm'))).to.equal('0:43');
  });

  it('has as many digits as tell it apart from another time beside it', () => {
    const both = (unit: TimeUnit, ...times: readonly number[]) =>
      times.map(timeFormat(inUnit(unit), [[1, null], times]));
    expect(both('h', 0.05, 0.06)).to.deep.equal(['0.05', '0.06']);
    expect(both('h', 0.051, 0.054)).to.deep.equal(['0.051', '0.054']);
    expect(both('h', 0.00511, 0.00522)).to.deep.equal(['0.0051', '0.0052']);
    expect(both('min', 0.001, 0.0011)).to.deep.equal(['0.06', '0.07']);
    expect(both('h:mm', 0.05, 0.054)).to.deep.equal(['0:03:00', '0:03:14']);
  });

  it('has no more digits if the times differ by less than a hundredth', () => {
    expect(timeFormat(inUnit('h'), [[4.151, 4.149]])(4.151)).to.equal('4.15');
  });
});
