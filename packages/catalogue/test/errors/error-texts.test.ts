import { type Language, languageSettings, languages, type Texts, translatedTexts } from '@takt/texts';
import { expect } from 'chai';
import { type ErrorCode, renderMessage } from '../../src/errors/index.js';
import { entries } from './support/entries.js';

interface Text {
  readonly code: ErrorCode;
  readonly language: Language;
  readonly text: string;
}

const texts: readonly Text[] = entries.flatMap(([code, definition]) =>
  languages.map((language) => ({ code, language, text: definition.texts[language] })),
);

const prose: readonly string[] = entries.flatMap(([code, { technicalDescription, texts: byLanguage }]) =>
  [technicalDescription, ...Object.values(byLanguage)].map((text) => `${code}: ${text}`),
);

function placeholdersIn(text: string): readonly string[] {
  return [...text.matchAll(/\{[^}]*\}?/g)].map(([placeholder]) => placeholder).sort();
}

/** Returns the query parameters and token placeholders that a text contains. They are the same in every language. */
function literalsIn(text: string): readonly string[] {
  return (
    text.match(
      /\$[A-Za-z_]+|skipInvalid=true|innerErrors|data\.database|Content-[A-Z][a-z]+|gzip|Retry-After|X-Request-Id|Authorization: Bearer <token>|%25|\bGET\b|\bHEAD\b/g,
    ) ?? []
  ).sort();
}

/** Removes the quoted parts of a text. It knows the quotation marks of the language. */
function withoutQuotes(text: string, language: Language): string {
  const [open, close] = languageSettings[language].quotes;
  return text.replace(new RegExp(`${open}[^${close}]+${close}`, 'g'), '');
}

describe('the texts of the error catalogue', () => {
  it('exist in all languages, with English first', () => {
    expect(languages.slice(0, 8)).to.deep.equal(['eng', 'nob', 'swe', 'dan', 'deu', 'fra', 'spa', 'pol']);
    for (const [code, definition] of entries) {
      expect(Object.keys(definition.texts), code).to.have.members([...languages]);
    }
  });

  for (const language of languages) {
    it(`contain one placeholder for each parameter, and no other braces: ${language}`, () => {
      for (const [code, { parameters, texts: byLanguage }] of entries) {
        const expected = parameters.map((_, index) => `{${index}}`);
        expect(placeholdersIn(byLanguage[language]), code).to.deep.equal(expected);
        expect(byLanguage[language].replace(/\{\d+\}/g, ''), code).not.to.match(/[{}]/);
      }
    });

    it(`use the quotation marks of their language: ${language}`, () => {
      for (const { code, text } of texts.filter((one) => one.language === language)) {
        expect(withoutQuotes(text, language), code).not.to.match(/[“”„«»"]/);
      }
    });
  }

  it('name the same query parameters, headers and tokens in every language', () => {
    for (const [code, definition] of entries) {
      const expected = new Set(literalsIn(definition.texts.eng));
      for (const language of languages) {
        const found = new Set(literalsIn(definition.texts[language]));
        expect([...found], `${code} ${language}`).to.deep.equal([...expected]);
      }
    }
  });

  it('are different in any two languages', () => {
    for (const [code, definition] of entries) {
      const distinct = new Set(Object.values(definition.texts));
      expect(distinct.size, code).to.equal(languages.length);
    }
  });

  it('start with a capital letter or a parameter and end with a period, except the fixed text of 101015', () => {
    for (const { code, text } of texts) {
      expect(text, code).to.match(/^(\p{Lu}|\$|\{0\})/u);
      if (code !== 'permissionNotFound') expect(text, code).to.match(/[^.]\.$/);
    }
  });

  it('contain no double white space, and neither start nor end with white space', () => {
    for (const line of prose) expect(line).not.to.match(/\s{2}|\s$|: \s/);
  });

  it('contain no SQL, no file path and no code', () => {
    const sql =
      /(?<!\$)\bselect\b.*\bfrom\b|\binsert into\b|\bdelete from\b|\bupdate\b.*\bset\b|sqlstate|\bpg_|\brelation\b/i;
    const address = /\/[a-z]+\/|\b[a-z]:\\|\.[jt]s\b|node_modules/i;
    const code = /undefined|\bNaN\b|\[object|\bstack\b/;
    for (const line of prose) {
      expect(line).not.to.match(sql);
      expect(line).not.to.match(address);
      expect(line).not.to.match(code);
    }
  });

  it('explain every error to integrators in one to three English sentences', () => {
    for (const [code, { technicalDescription }] of entries) {
      const sentences = technicalDescription.split(/(?<=\.)\s/);
      expect(sentences.length, code).to.be.within(1, 3);
      expect(technicalDescription, code).to.match(/^\P{Ll}.{40,}\.$/u);
    }
  });

  it('have the same placeholders in every language, in any order', () => {
    for (const english of Object.keys(translatedTexts.nob.phrases) as (keyof Texts['phrases'])[]) {
      for (const [language, { phrases }] of Object.entries(translatedTexts)) {
        const text = phrases[english];
        expect(placeholdersIn(text), `${english} ${language}`).to.deep.equal(placeholdersIn(english));
        expect(text, english).not.to.match(/\s{2}|^\s|\s$|["“”„«»]/);
      }
    }
  });

  it('contain no placeholder after every parameter was replaced by a value', () => {
    for (const { code, language } of texts) {
      const parameters = entries.find(([one]) => one === code)?.[1].parameters ?? [];
      const values = parameters.map((name) => `<${name}>`);
      const message = renderMessage(code, values, language);
      for (const value of values) expect(message, `${code} ${language}`).to.include(value);
      expect(message, `${code} ${language}`).not.to.match(/[{}]/);
    }
  });

  it('are exactly "Permission not found" for the error 101015', () => {
    const definition = entries.find(([, { errorMessageId }]) => errorMessageId === 101_015)?.[1];
    expect(definition?.texts.eng).to.equal('Permission not found');
    expect(definition?.status).to.equal(404);
  });

  it('start with "Invalid $access_token" if the error concerns the token', () => {
    expect(renderMessage('invalidAccessToken', [], 'eng')).to.match(/^Invalid \$access_token\b/);
  });
});
