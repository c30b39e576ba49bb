import { ExactDecimal } from './exact-decimal.js';
import type { FigureName, Figures } from './figures.js';

export interface FigureDifference {
  readonly figure: FigureName;
  readonly stored: string | null;
  readonly recomputed: string | null;
}

/** The figures that are not equal in every digit; those of a missing row count as null. */
export function compareFigures(
  stored: Figures | undefined,
  recomputed: Figures,
): readonly FigureDifference[] {
  return namesOf(recomputed)
    .map((figure) => ({ figure, stored: stored?.[figure] ?? null, recomputed: recomputed[figure] }))
    .filter((pair) => !isSame(pair.stored, pair.recomputed));
}

function namesOf(figures: Figures): readonly FigureName[] {
  return Object.keys(figures).filter((name): name is FigureName => name in figures);
}

/** Sums have no fixed number of decimals: 0 and 0.000000 are the same. */
function isSame(stored: string | null, recomputed: string | null): boolean {
  if (stored === recomputed) return true;
  return stored !== null && recomputed !== null && new ExactDecimal(stored).eq(recomputed);
}
