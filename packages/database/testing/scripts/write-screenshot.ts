import { writeFile } from 'node:fs/promises';
import { openBrowser } from '@takt/test-support';
import { hashOfPage, PICTURE_FILES, withFirstPage } from '../first-page.js';

const VIEWPORT = { width: 1440, height: 860 };

// Writes the picture in the README, and the hash of the page that it shows.
await withFirstPage(async (page) => {
  const browser = await openBrowser();
  try {
    const opened = await browser.newPage({
      viewport: VIEWPORT,
      locale: 'en',
      extraHTTPHeaders: { authorization: `Bearer ${page.token}` },
    });
    await opened.goto(page.address);
    await opened.screenshot({ path: PICTURE_FILES.picture });
  } finally {
    await browser.close();
  }
  await writeFile(PICTURE_FILES.hash, `${await hashOfPage(page)}\n`);
});
