import { drawComparison } from './comparison-drawing.js';
import type { Wording } from './languages/wording.js';

/** Pixels of a sample. */
const WIDTH = 36;

const NOTHING = { planned: null, average: null, shortest: null, longest: null, deviation: null };

/** What the shapes of the drawings stand for. */
export function comparisonLegend({ texts }: Wording): string {
  const entries = [
    [{ ...NOTHING, shortest: 0, longest: 1 }, `${texts.shortest} &ndash; ${texts.longest}`],
    [{ ...NOTHING, average: 0.5, deviation: 0.3 }, `${texts.average} &plusmn; ${texts.deviation}`],
    [{ ...NOTHING, planned: 0.5 }, texts.planned],
  ] as const;
  const items = entries.map(([times, text]) => `<li>${drawComparison(times, 1, WIDTH)} ${text}</li>`);
  return `<ul class="legend" aria-label="${texts.legend}">${items.join('')}<li>&plusmn;0&nbsp;% ${texts.againstPlan}</li></ul>`;
}
