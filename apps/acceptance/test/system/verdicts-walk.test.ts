import { applyWorkOrderOperationEvents, type WorkOrderOperationEvent } from '@takt/figures';
import { needsProgram, openBrowser, opened } from '@takt/test-support';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { storeMasterData, structureVersion } from '../support/master-data.js';
import { pdfTexts } from '../support/pdf-texts.js';
import { follow } from '../support/planner-page.js';
import { openTestApi } from '../support/test-api.js';
import { openWatchedPage } from '../support/watched-page.js';

const COMPANY = 'TEM-NO';
const [OVER, UNDER, FEW] = [1, 2, 3];

/** Alternates between two values with the average in between. */
const alternating = (count: number, one: string, other: string) =>
  Array.from({ length: count }, (_, index) => (index % 2 === 0 ? one : other));

const VERSIONS = [
  // The average is 2.51 h, and its confidence interval is from 2.38 h to 2.64 h. Each value is 0.4 h from the average,
  // and t(0.975, 39) = 2.0227.
  { id: OVER, name: 'Press', planned: '2', times: alternating(40, '2.11', '2.91') },
  { id: UNDER, name: 'Mill', planned: '3', times: alternating(40, '2.11', '2.91') },
  { id: FEW, name: 'Weld', planned: '1', times: ['1.4', '1.5', '1.6'] },
];

const TOLD = {
  eng: {
    [OVER]:
      'Run time: 2.51 h against 2.00 h planned, sure to 95 % (2.38 to 2.64 h; operations: 40). Enter 2.51 h.',
    [UNDER]:
      'Run time: 2.51 h against 3.00 h planned, sure to 95 % (2.38 to 2.64 h; operations: 40). Enter 2.51 h.',
    [FEW]:
      'Run time: 1.50 h against 1.00 h planned, too few operations (3) to be sure. Keep the plan until there are 5.',
  },
  deu: {
    [OVER]:
      'Laufzeit: 2,51 h statt 2,00 h geplant, sicher zu 95 % (2,38 bis 2,64 h; Arbeitsgänge: 40). 2,51 h eintragen.',
    [UNDER]:
      'Laufzeit: 2,51 h statt 3,00 h geplant, sicher zu 95 % (2,38 bis 2,64 h; Arbeitsgänge: 40). 2,51 h eintragen.',
    [FEW]:
      'Laufzeit: 1,50 h statt 1,00 h geplant, zu wenige Arbeitsgänge (3), um sicher zu sein. Plan behalten, bis es 5 sind.',
  },
  nob: {
    [OVER]:
      'Kjøretid: 2,51 t mot 2,00 t planlagt, sikkert med 95 % (2,38 til 2,64 t; operasjoner: 40). Skriv inn 2,51 t.',
    [UNDER]:
      'Kjøretid: 2,51 t mot 3,00 t planlagt, sikkert med 95 % (2,38 til 2,64 t; operasjoner: 40). Skriv inn 2,51 t.',
    [FEW]:
      'Kjøretid: 1,50 t mot 1,00 t planlagt, for få operasjoner (3) til å være sikker. Behold planen til det er 5.',
  },
} as const;

/**
 * The walks through the pages. They cover all three languages, both widths, and pages with and without script, but not
 * all combinations.
 */
const walks = [
  { language: 'eng', width: 1280, hasScript: true },
  { language: 'deu', width: 390, hasScript: false },
  { language: 'nob', width: 1280, hasScript: false },
  { language: 'nob', width: 390, hasScript: true },
] as const;

describe('a planner who checks the certainty of a difference', function () {
  this.timeout(120_000);
  const service = opened(() => openTestApi({ companies: [COMPANY] }));
  let browser: Browser;

  before(async function () {
    needsProgram(this, 'chromium');
    await storeMasterData(
      service,
      VERSIONS.map(({ id, name, planned }) =>
        structureVersion(COMPANY, id, {
          name,
          plannedProductionTimes: { runTime: planned, setupTime: null, cleanupTime: null },
        }),
      ),
    );
    const events = VERSIONS.flatMap(({ id, times }) =>
      times.map(
        (runTime, index): WorkOrderOperationEvent => ({
          type: 'work-order-operation.completed.v1',
          ...{ database: COMPANY, workOrderOperationId: 1_000 * id + index, revision: 1, workOrderId: id },
          ...{ productStructureVersionId: id, completedAt: `2026-0${1 + (index % 3)}-10T12:00:00Z` },
          ...{ runTime: Number(runTime).toFixed(6), setupTime: null, cleanupTime: null },
        }),
      ),
    );
    await applyWorkOrderOperationEvents(service.database.pool, events);
    browser = await openBrowser();
  });
  after(async () => await browser?.close());

  for (const { language, width, hasScript } of walks) {
    it(`sees advice and the reason for it: ${language}, ${width} px, ${hasScript ? 'with' : 'without'} script`, async () => {
      const { page, inspect, close } = await openWatchedPage(browser, service.api.origin, {
        viewport: { width, height: 800 },
        javaScriptEnabled: hasScript,
      });
      const times = (id: number) =>
        `/product/structure-versions/${id}/aggregated-production-times?$format=html&$lang=${language}`;
      await page.goto(service.api.origin + times(OVER));
      await page.locator('details:has(input[name="token"]) > summary').click();
      await page.locator('input[name="token"]').fill(service.token);
      await follow(page, () => page.locator('form.token button').click());
      for (const { id, name } of VERSIONS) {
        await page.goto(service.api.origin + times(id));
        expect(await page.locator('h1').textContent()).to.equal(name);
        const told = await page.locator('.verdicts li').allTextContents();
        expect(told.map((text) => text.replaceAll('\u00A0', ' '))).to.deep.equal([
          TOLD[language][id as 1 | 2 | 3],
        ]);
        expect(await page.locator('svg.histogram .plan-line').count()).to.equal(1);
        expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
        await inspect(`verdicts-${language}-${width}-${name}`);
        expect(pdfTexts(await page.pdf({ preferCSSPageSize: true }))).to.have.lengthOf(1);
      }
      // Every list below the structure version shows its name and a link back to it.
      for (const list of ['aggregated-production-times/months', 'work-order-operations']) {
        await page.goto(
          `${service.api.origin}/product/structure-versions/${OVER}/${list}?$format=html&$lang=${language}`,
        );
        const back = page.locator('.lead a');
        expect(await back.textContent()).to.include('Press');
        await inspect(`verdicts-${language}-${width}-${list.split('/').at(-1)}`);
        await follow(page, () => back.click());
        expect(await page.locator('h1').textContent()).to.equal('Press');
      }
      await close();
    });
  }
});
