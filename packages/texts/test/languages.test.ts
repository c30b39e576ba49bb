import { expect } from 'chai';
import { findLanguage, type Language, negotiateLanguage } from '../src/index.js';

describe('findLanguage', () => {
  const cases: readonly (readonly [string | undefined, Language])[] = [
    ['eng', 'eng'],
    ['nob', 'nob'],
    ['POL', 'pol'],
    ['Deu', 'deu'],
    [undefined, 'eng'],
    ['', 'eng'],
    ['de', 'eng'],
    ['xyz', 'eng'],
    [' deu', 'eng'],
    ['deu,fra', 'eng'],
    ['constructor', 'eng'],
    ['__proto__', 'eng'],
  ];
  for (const [text, language] of cases) {
    it(`returns ${language} for ${JSON.stringify(text)}`, () => {
      expect(findLanguage(text)).to.equal(language);
    });
  }
});

describe('negotiateLanguage', () => {
  const cases: readonly (readonly [string, string | undefined, Language])[] = [
    ['English without a header', undefined, 'eng'],
    ['English for an empty header', '', 'eng'],
    ['a language of two letters', 'en', 'eng'],
    ['Norwegian of any kind', 'no', 'nob'],
    ['bokmål', 'nb', 'nob'],
    ['nynorsk', 'nn', 'nob'],
    ['Swedish', 'sv', 'swe'],
    ['Danish', 'da', 'dan'],
    ['German', 'de', 'deu'],
    ['French', 'fr', 'fra'],
    ['Spanish', 'es', 'spa'],
    ['Polish', 'pl', 'pol'],
    ['a code of three letters', 'swe', 'swe'],
    ['any case', 'PL', 'pol'],
    ['the language of a region', 'de-AT', 'deu'],
    ['the language of script and region', 'nb-Latn-NO', 'nob'],
    ['what a browser sends', 'nb-NO,nb;q=0.9,no;q=0.8,nn;q=0.7,en-US;q=0.6,en;q=0.5', 'nob'],
    ['the greatest weight', 'fr;q=0.4, es;q=0.9, de;q=0.8', 'spa'],
    ['three decimals', 'fr;q=0.123, es;q=0.124', 'spa'],
    ['the first of equal weights', 'pl;q=0.5, de;q=0.5', 'pol'],
    ['the first without weights', 'da, sv', 'dan'],
    ['the next where the first is unknown', 'qaa, sv;q=0.8, en;q=0.5', 'swe'],
    ['white space around everything', ' fr ; q=0.1 ,\tde\t;\tQ=0.2 ', 'deu'],
    ['the greater weight of two ranges', 'nb;q=0.9, de;q=0.5, nn;q=0.2', 'nob'],
    ['English for anything', '*', 'eng'],
    ['a named language before anything', 'de;q=0.9, *;q=0.1', 'deu'],
    ['anything before a named language', 'de;q=0.1, *;q=0.9', 'eng'],
    ['anything but English', 'en;q=0, *', 'nob'],
    ['nothing that is refused', 'de;q=0, fr;q=0.000', 'eng'],
    ['what is left after a refusal', 'de;q=0, pl;q=0.1', 'pol'],
    ['English where nothing is known', 'qaa, qab-Hant;q=0.5', 'eng'],
    ['no range with a weight above 1', 'de;q=2, fr;q=0.1', 'fra'],
    ['no range with a negative weight', 'de;q=-1, fr;q=0.1', 'fra'],
    ['no range with four decimals', 'de;q=0.9999, fr;q=0.1', 'fra'],
    ['no range with a word for a weight', 'de;q=high, fr;q=0.1', 'fra'],
    ['no range with an empty weight', 'de;q=, fr;q=0.1', 'fra'],
    ['no range with another parameter', 'de;level=1, fr;q=0.1', 'fra'],
    ['ranges after empty ones', ',,, ,de', 'deu'],
    ['names that every object has', 'valueOf, toString, __proto__', 'eng'],
    ['the twentieth range', `${'qaa,'.repeat(19)}de`, 'deu'],
    ['no range after the twentieth', `${'qaa,'.repeat(20)}de`, 'eng'],
  ];
  for (const [meaning, header, language] of cases) {
    it(`accepts ${meaning}: ${JSON.stringify(header)} gives ${language}`, () => {
      expect(negotiateLanguage(header)).to.equal(language);
    });
  }

  const hostile: readonly (readonly [string, string, Language])[] = [
    ['commas', ','.repeat(100_000), 'eng'],
    ['ranges', 'de,'.repeat(34_000), 'deu'],
    ['spaces', ' '.repeat(100_000), 'eng'],
    ['spaces before a range', `${' '.repeat(100_000)}de`, 'eng'],
    ['one endless tag', 'a-'.repeat(50_000), 'eng'],
    ['semicolons', `de${' ;'.repeat(50_000)}`, 'eng'],
    ['digits', `de;q=0.${'0'.repeat(100_000)}`, 'eng'],
  ];
  for (const [kind, header, language] of hostile) {
    it(`answers quickly for 100 KB of ${kind}`, () => {
      const before = process.cpuUsage();
      for (let repetition = 0; repetition < 20; repetition += 1) {
        expect(negotiateLanguage(header)).to.equal(language);
      }
      expect(process.cpuUsage(before).user).to.be.lessThan(200_000);
    });
  }
});
