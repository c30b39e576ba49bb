/** What is promised of a figure. */
export interface Target {
  readonly sign: '>=' | '<=';
  readonly bound: number;
}

export interface Ratio {
  readonly name: string;
  readonly reached: number;
  /** The same by the CPU time of a request: whatever else the machine does changes it least. */
  readonly byCpu?: number;
  readonly target: Target;
}

export const atLeast = (bound: number): Target => ({ sign: '>=', bound });
export const atMost = (bound: number): Target => ({ sign: '<=', bound });

/** Those whose measurements were made in this run, as a table. */
export function ratioTable(ratios: readonly Ratio[]): readonly string[] {
  const lines = ratios
    .filter(({ reached }) => Number.isFinite(reached))
    .map(({ name, reached, byCpu, target: { sign, bound } }) => {
      const isMet = sign === '>=' ? reached >= bound : reached <= bound;
      return `| ${name} | ${reached.toFixed(2)} | ${byCpu?.toFixed(2) ?? ''} | ${sign} ${bound} | ${isMet ? 'yes' : 'no'} |`;
    });
  return ['| ratio | reached | by CPU | target | met |', '|---|--:|--:|--:|---|', ...lines, ''];
}
