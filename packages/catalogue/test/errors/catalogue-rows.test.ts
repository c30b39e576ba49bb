import { languages } from '@takt/texts';
import { expect } from 'chai';
import { catalogueRows, errorCatalogue } from '../../src/errors/index.js';
import { entries } from './support/entries.js';

describe('catalogueRows', () => {
  it('returns a row for every error, by ascending identifier', () => {
    const identifiers = catalogueRows().map(({ errorMessageId }) => errorMessageId);
    const expected = entries.map(([, { errorMessageId }]) => errorMessageId).sort((a, b) => a - b);
    expect(identifiers).to.deep.equal(expected);
    expect(identifiers[0]).to.equal(100_000);
    expect(identifiers.at(-1)).to.equal(101_015);
  });

  it('returns all fields of an error that the resource serves', () => {
    const row = catalogueRows().find(({ errorMessageId }) => errorMessageId === 100_204);
    expect(row).to.deep.equal({
      errorMessageId: 100_204,
      status: '4',
      namespace: 'query',
      httpStatusCode: 400,
      message: 'The parameter “{0}” is given more than once. Give it only once.',
      availableTranslations: languages.toSorted().join(),
      createdBy: 1,
      technicalDescription: errorCatalogue.repeatedParameter.technicalDescription,
      translations: errorCatalogue.repeatedParameter.texts,
    });
  });

  it('returns a new list for every call', () => {
    expect(catalogueRows()).not.to.equal(catalogueRows());
    expect(catalogueRows()).to.deep.equal(catalogueRows());
  });
});
