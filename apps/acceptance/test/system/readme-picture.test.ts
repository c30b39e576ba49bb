import { readFile } from 'node:fs/promises';
import { hashOfPage, PICTURE_FILES, withFirstPage } from '@takt/database/testing';
import { expect } from 'chai';

describe('The picture in the README', function () {
  this.timeout(180_000);

  it('shows the page as it is: if the page has changed on purpose, npm run screenshot:write', async () => {
    expect(await withFirstPage(hashOfPage)).to.equal((await readFile(PICTURE_FILES.hash, 'utf8')).trim());
  });
});
