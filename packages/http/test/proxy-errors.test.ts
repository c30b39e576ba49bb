import { readdir, readFile } from 'node:fs/promises';
import { errorCatalogue } from '@takt/catalogue/errors';
import { expect } from 'chai';
import { proxyErrors } from '../scripts/proxy-errors.js';

const FOLDER = new URL('../../../../docker/haproxy/', import.meta.url);
const WRITE_AGAIN = 'npm run proxy:write writes them again';

describe('The error files of HAProxy', () => {
  it('are those of the catalogue', async () => {
    const written = proxyErrors();
    const names = await readdir(new URL('errors/', FOLDER));
    expect(names.sort(), WRITE_AGAIN).to.deep.equal(written.map(({ name }) => name).sort());
    for (const { name, text } of written) {
      const stored = await readFile(new URL(`errors/${name}`, FOLDER), 'utf8');
      expect(stored, `${name}: ${WRITE_AGAIN}`).to.equal(text);
    }
  });

  it('are whole answers with a status and an id of the catalogue', () => {
    const known = new Map<number, number>(
      Object.values(errorCatalogue).map(({ errorMessageId, status }) => [errorMessageId, status]),
    );
    for (const { name, text } of proxyErrors()) {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      expect(head, name).to.match(/^HTTP\/1\.1 (?:400|404|500) [A-Z]/);
      expect(head, name).to.include(`\r\nContent-Length: ${Buffer.byteLength(body)}`);
      if (name.endsWith('-page.http')) continue;
      const { errorMessage, hTTPStatusCode } = JSON.parse(body);
      expect(known.get(errorMessage.errorMessageId), name).to.equal(Number(hTTPStatusCode));
    }
  });

  it('are all that haproxy.cfg names', async () => {
    const config = await readFile(new URL('haproxy.cfg', FOLDER), 'utf8');
    const named = [...config.matchAll(/"\$\{TAKT_ERRORS\}\/([\w-]+\.http)"/g)].map(([, name]) => name);
    expect([...new Set(named)].sort()).to.deep.equal(
      proxyErrors()
        .map(({ name }) => name)
        .sort(),
    );
  });
});
