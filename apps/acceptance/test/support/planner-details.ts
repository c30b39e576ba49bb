import { toMicrohours } from '@takt/test-support';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { KINDS, type Kind, type PlannerRow } from './planner-figures.js';
import { readRows } from './planner-page.js';
import type { PlannerWords } from './planner-words.js';
import { percentText, signedText, tableText } from './shown-numbers.js';

/**
 * Checks the page of one structure version. The page must show every figure with its plan, the months as a chart and as
 * a table, and the last completion.
 */
export async function expectDetails(page: Page, row: PlannerRow, words: PlannerWords): Promise<void> {
  expect(await page.locator('.lead').textContent()).to.include(row.product);
  expect(await page.locator('h1').textContent()).to.equal(row.name);
  await expectPlanAndActual(page, row, words);
  await expectMonths(page, row, words);
  await expectCharts(page, row);
  const completions = await page
    .locator('main time')
    .evaluateAll((all) => all.map((one) => String(Reflect.get(one, 'dateTime'))));
  expect(completions).to.include(`${row.figures.last.slice(0, 19)}Z`);
}

async function expectPlanAndActual(page: Page, row: PlannerRow, words: PlannerWords): Promise<void> {
  const shown = await readRows(page, words.planAndActual);
  expect(shown).to.have.lengthOf(KINDS.length);
  for (const [index, kind] of KINDS.entries()) {
    const {
      '': _drawing,
      [words.interval]: interval,
      [words.median]: median,
      ...cells
    } = shown[index]?.cells ?? {};
    // Figures from two operations have an interval. Every time with a value has a median.
    const hasAverage = row.figures[kind].average !== null;
    expect(interval, `${kind}, interval`).to.match(hasAverage ? /^−?[<\d.,]+–[<\d.,]+$|^$/ : /^$/);
    expect(median, `${kind}, median`).to.match(hasAverage ? /^[<\d.,]+$/ : /^$/);
    const expected = planAndActual(row, kind, words);
    for (const [label, text] of Object.entries(cells))
      expect(text, `${kind}, ${label}`).to.equal(expected[label]);
    // The page leaves out a figure without a value for any kind of time.
    const missing = Object.keys(expected).filter((label) => !(label in cells) && expected[label] !== '');
    expect(missing, kind).to.deep.equal([]);
  }
}

function planAndActual(row: PlannerRow, kind: Kind, words: PlannerWords): Readonly<Record<string, string>> {
  const { separator } = words;
  const { planned, hoursOverPlan } = row.times[kind];
  const { average, shortest, longest, deviation } = row.figures[kind];
  const written = (hours: bigint) => tableText(hours, separator);
  const text = (hours: string | null) => (hours === null ? '' : written(toMicrohours(hours)));
  const difference = planned === null || average === null ? null : toMicrohours(average) - planned;
  const hasPercent = difference !== null && planned !== null && planned > 0n;
  return {
    [words.planned]: planned === null ? '' : written(planned),
    [words.average]: text(average),
    [words.difference]: difference === null ? '' : signedText(difference, written),
    [words.overPlan]: hasPercent ? percentText(difference, planned, separator) : '',
    [words.hoursOverPlan]: hoursOverPlan === null ? '' : signedText(hoursOverPlan, written),
    [words.shortest]: text(shortest),
    [words.longest]: text(longest),
    [words.deviation]: text(deviation),
  };
}

async function expectMonths(page: Page, row: PlannerRow, words: PlannerWords): Promise<void> {
  const shown = await readRows(page, words.byMonth);
  const text = (hours: string | null) =>
    hours === null ? '' : tableText(toMicrohours(hours), words.separator);
  expect(shown.map(({ heading, values }) => [heading, ...values])).to.deep.equal(
    row.months.map(({ month, hoursOverPlan, numberOfCompletedProductionWorkOrders: count, ...figures }) => [
      month,
      String(count),
      ...KINDS.flatMap((kind) => {
        const { average, shortest, longest, deviation } = figures[kind];
        const over = hoursOverPlan[kind];
        const shownOver =
          over === null ? [] : [signedText(over, (hours) => tableText(hours, words.separator))];
        return [...[average, shortest, longest, deviation].map(text), ...shownOver];
      }),
    ]),
  );
}

/**
 * Checks the chart of each kind of time that has values. The chart must have a text for screen readers and a point for
 * each month.
 */
async function expectCharts(page: Page, row: PlannerRow): Promise<void> {
  const drawn = KINDS.filter((kind) => row.figures[kind].average !== null);
  const charts = page.locator('svg.month-chart[role=img]');
  expect(await charts.count()).to.equal(drawn.length);
  expect(await page.locator('svg.histogram[role=img]').count()).to.equal(drawn.length);
  for (const [index, kind] of drawn.entries()) {
    const chart = charts.nth(index);
    expect(await chart.isVisible()).to.equal(true);
    for (const part of ['> title', '> desc'])
      expect(await chart.locator(part).textContent()).to.match(/\w{3}/);
    const months = row.months.filter(({ [kind]: { average } }) => average !== null);
    expect(await chart.locator('.point').count(), kind).to.equal(months.length);
  }
}
