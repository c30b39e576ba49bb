import { processorMsOf } from '@takt/test-support';
import { expect } from 'chai';
import { parseEvent } from '../src/index.js';
import { readText, readUriReference } from '../src/kinds.js';
import { problemsOf } from './support/problems-of.js';
import { completedEvent, productStructureVersionEvent } from './support/sample-events.js';

describe('a text', () => {
  it('is measured in characters, not in UTF-16 units', () => {
    expect(readText('😀'.repeat(20), 1, 20)).to.equal('😀'.repeat(20));
    expect(readText('😀'.repeat(21), 1, 20)).to.equal(undefined);
    expect(readText('a'.repeat(21), 1, 20)).to.equal(undefined);
    expect(readText('', 1, 20)).to.equal(undefined);
    expect(readText('', 0, 20)).to.equal('');
  });

  it('must not contain NUL or lone surrogates, but may contain all other control characters', () => {
    for (const text of ['\0', 'a\0b', '\uD800', '\uDC00', 'a\uDC00\uD800b', '\uD83D\uD83D\uDE00']) {
      expect(readText(text, 0, 20), JSON.stringify(text)).to.equal(undefined);
    }
    expect(readText('\u0001\n\u007F\uFFFF😀', 0, 20)).to.equal('\u0001\n\u007F\uFFFF😀');
  });

  it('must be a string', () => {
    for (const value of [1, null, undefined, {}, ['a'], Object('a')]) {
      expect(readText(value, 0, 20)).to.equal(undefined);
    }
  });
});

describe('a URI reference', () => {
  it('may be absolute or relative', () => {
    const references = [
      ...['/mes/line-3', 'mes', '../a', './a:b', '//host/path', '?q', '#f', 'a/b:c', '%20', 'a//b', '/'],
      ...[
        'https://user:pw@host.example:8080/a/b;c=1?q=/?#f',
        'urn:takt:1',
        'mailto:a@b.c',
        'x:',
        'x:/a',
        'file:///a',
      ],
      ...['http://[::1]:80/', 'http://u@[v1.a:b]/', '//[2001:db8::1]'],
    ];
    for (const reference of references) {
      expect(readUriReference(reference), reference).to.equal(reference);
    }
  });

  it('must not have any other form', () => {
    for (const text of [
      '',
      ' ',
      'a b',
      'ü',
      '%',
      '%2',
      '%zz',
      '1a:b',
      ':a',
      '#a#b',
      '[a]',
      'http://[::1',
      'a\n',
      '<a>',
      '"',
    ]) {
      expect(readUriReference(text), text).to.equal(undefined);
    }
  });

  it('is checked quickly even if it is long', () => {
    const spentMs = processorMsOf(() => {
      expect(readUriReference('a@'.repeat(1_024))).to.equal('a@'.repeat(1_024));
      expect(readUriReference(`//${'a@'.repeat(1_022)}[`)).to.equal(undefined);
      expect(readUriReference('a'.repeat(2_049))).to.equal(undefined);
    });
    expect(spentMs).to.be.lessThan(500);
  });
});

describe('an integer', () => {
  it('for an identifier is between 1 and 2^53-1', () => {
    for (const revision of [1, 2 ** 53 - 1]) {
      expect(problemsOf(completedEvent({ revision }))).to.deep.equal([]);
    }
    for (const revision of [0, -1, 1.5, 2 ** 53, '1', null, true, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(problemsOf(completedEvent({ revision })), String(revision)).to.have.length(1);
    }
  });

  it('is 0 if JSON contains minus zero', () => {
    const result = parseEvent(completedEvent({ workOrderId: JSON.parse('-0') }));
    expect(result.ok && 'workOrderId' in result.event && Object.is(result.event.workOrderId, 0)).to.equal(
      true,
    );
  });

  it('for a status or a version is within the range of a PostgreSQL integer', () => {
    for (const status of [-(2 ** 31), 0, -0, 2 ** 31 - 1]) {
      expect(problemsOf(productStructureVersionEvent({ status }))).to.deep.equal([]);
    }
    for (const status of [-(2 ** 31) - 1, 2 ** 31, 0.5]) {
      expect(problemsOf(productStructureVersionEvent({ status }))).to.have.length(1);
    }
  });
});
