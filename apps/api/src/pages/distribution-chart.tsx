import type { TimeComparison } from '@takt/catalogue/resources';
import { Histogram, type HistogramBin, type Markup } from '@takt/pages';
import type { DetailPage } from '../representations/writer.js';
import { plainFormat } from './number-format.js';
import { countText } from './pager.js';
import { distributionNumber } from './verdicts.js';
import { fill, type Wording } from './words.js';

interface DistributionChartProps {
  readonly comparison: TimeComparison;
  readonly distribution: DetailPage;
  /** The planned time in hours; null if nothing is planned, or if the reader may not see plans. */
  readonly planned: number | null;
  readonly wording: Wording;
}

/** A histogram of one kind of time, in which the plan is marked; null if there are no operations. */
export function DistributionChart(props: DistributionChartProps): Markup | null {
  const { comparison, distribution, planned, wording } = props;
  const { texts, language } = wording;
  const bins = binsOf(distribution);
  if (bins.length === 0) return null;
  const heading = comparison.heading[language];
  const pruned = distributionNumber(distribution, 'CountPruned') ?? 0;
  return (
    <figure>
      <figcaption>
        {fill(texts.distributionOf, heading)} ({wording.timeUnit})
      </figcaption>
      <section class="drawn" tabindex={0} aria-label={fill(texts.distributionOf, heading)}>
        <Histogram
          id={`distribution-${comparison.name}`}
          title={fill(texts.distributionOf, heading)}
          description={texts.distributionHelp}
          bins={bins}
          planned={planned}
          plannedLabel={texts.planned}
          formatNumber={plainFormat(wording)}
        />
      </section>
      {pruned > 0 && <p class="hint">{fill(texts.prunedLeftOut, countText(pruned, language))}</p>}
    </figure>
  );
}

function binsOf({ outline, row }: DetailPage): readonly HistogramBin[] {
  const node = outline.find(({ kind }) => kind === 'collection');
  const items = node?.kind === 'collection' ? row[node.index] : [];
  if (!Array.isArray(items)) return [];
  return items.map(([from, to, count]) => ({
    from: Number(from),
    to: to === null ? null : Number(to),
    count: Number(count),
  }));
}
