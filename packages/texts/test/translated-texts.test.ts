import { expect } from 'chai';
import { translatedTexts } from '../src/index.js';

type Groups = Readonly<Record<string, Readonly<Record<string, string>>>>;

const languages: readonly (readonly [string, Groups])[] = Object.entries(translatedTexts);
const norwegian: Groups = translatedTexts.nob;

const keysIn = (groups: Groups) =>
  Object.entries(groups).flatMap(([group, texts]) => Object.keys(texts).map((key) => `${group}.${key}`));

const placeholdersIn = (text: string) => [...text.matchAll(/\{[^}]*\}/g)].map(([found]) => found).toSorted();

describe('The translations of each package', () => {
  for (const [language, groups] of languages) {
    it(`have the same groups and keys in every language: ${language}`, () => {
      expect(keysIn(groups)).to.have.members(keysIn(norwegian));
    });

    it(`are not empty, and have the same placeholders in every language: ${language}`, () => {
      for (const [group, texts] of Object.entries(groups)) {
        for (const [key, text] of Object.entries(texts)) {
          expect(text.trim(), `${group}.${key}`).not.to.equal('');
          const known = placeholdersIn(norwegian[group]?.[key] ?? '');
          expect(placeholdersIn(text), `${group}.${key}`).to.deep.equal(known);
        }
      }
    });
  }
});
