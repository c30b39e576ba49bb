import type { ErrorDescription } from '@takt/catalogue/errors';

import { type Language, languages } from '@takt/texts';
import { expect } from 'chai';
import { htmlWriter } from '../../src/pages/index.js';
import type { WritingContext } from '../../src/representations/writer.js';
import { comparable } from '../support/http-client.js';
import { contextOf, filterError, tokenError } from './sample-pages.js';

const written = (error: ErrorDescription, overrides: Partial<WritingContext> = {}) =>
  [...htmlWriter.error(error, contextOf(overrides))].join('');

describe('The HTML page of an error', () => {
  it('shows the message in the language of the reader first, and then in English', () => {
    const translated = { ...filterError, translatedMessage: 'In $filter an Stelle 8 steht „<x>“.' };
    const html = written(translated, { language: 'deu' });
    expect(html).to.include('<html lang="de">').and.to.include('<h1>In $filter an Stelle 8');
    expect(html).to.include('<span lang="en">In $filter at position 8');
    expect(written(filterError)).not.to.include('In English');
  });

  it('shows the status, the request id and the inner errors, with a link to the error message', () => {
    const html = written(filterError, { parameters: [{ name: '$lang', value: 'eng' }] });
    expect(html)
      .to.include('Error 400')
      .and.to.include('BadRequest')
      .and.to.include('stands “&lt;x&gt;”, where a field is expected.')
      .and.to.include('<li><p>Invalid $access_token: ');
    expect(html).to.include('0199c1d2-5a3e-7f00-8000-6d1f0a2b3c4d').and.not.to.include('{0}');
    expect(html).to.include('href="https://takt.example/api/system/error-messages/100210?$lang=eng"');
    expect(html).not.to.include('name="password"');
  });

  it('differs from the same page a minute earlier only in the time at its end', () => {
    const answerAt = (language: Language, time: string) => {
      const body = Buffer.from(written(filterError, { language, readAt: new Date(`2026-11-26T${time}Z`) }));
      const headers = { 'content-type': 'text/html', 'content-length': String(body.length) };
      return { status: 400, headers, body, text: body.toString() };
    };
    for (const language of languages) {
      const [before, after] = [answerAt(language, '09:59:59'), answerAt(language, '10:00:00')];
      expect(after.text, language).not.to.equal(before.text);
      expect(comparable(after), language).to.deep.equal(comparable(before));
    }
  });

  it('shows a sign-in form for an invalid token; the form returns to the same address', () => {
    const html = written(tokenError, {
      parameters: [
        { name: '$top', value: '5' },
        { name: '$lang', value: 'eng' },
      ],
      visitor: { kind: 'unknown' },
    });
    const actions = [...html.matchAll(/<form class="(?:sign-in|token)" method="post" action="(.*?)"/g)];
    const path = encodeURIComponent(
      '/product/structure-versions/aggregated-production-times?$top=5&$lang=eng',
    );
    const action = `https://takt.example/api/oauth2?$lang=eng&amp;return=${path.replaceAll('%24', '$')}`;
    expect(actions.map(([, found]) => found)).to.deep.equal([action, action]);
    expect(html).to.include('type="password" name="password"').and.to.include('name="token"');
  });

  it('distinguishes an ended session, a rejected token and a missing sign-in', () => {
    const saying = (visitor: WritingContext['visitor']) => written(tokenError, { visitor });
    expect(saying({ kind: 'session-ended' })).to.include('<h1>Your session has ended</h1>');
    expect(saying({ kind: 'token-refused' }))
      .to.include('<h1>Sign in</h1>')
      .and.to.include('not valid');
    expect(saying({ kind: 'unknown' }))
      .to.include('<h1>Sign in</h1>')
      .and.not.to.include('not valid');
  });
});
