import { FLOW_RANGES, type FlowRange, type FlowSlot } from '@takt/database/monitoring';
import { type Markup, TimeChart } from '@takt/pages';
import { type Language, languageTag } from '@takt/texts';
import type { DashboardText, Words } from '../words.js';

export const RANGE_NAMES: Readonly<Record<FlowRange, DashboardText>> = {
  hour: 'lastHour',
  day: 'lastDay',
  month: 'lastMonth',
};

interface ChartProps {
  readonly range: FlowRange;
  /** End of the range in ms since 1970. */
  readonly endMs: number;
  readonly history: readonly FlowSlot[];
  readonly words: Words;
  /** The name of the figure, including its unit. */
  readonly label: string;
  readonly figureOf: (slot: FlowSlot) => number | null;
  /** Formats a value together with its unit. */
  readonly format: (value: number) => string;
  /** Formats the values of the scale, in at most 7 characters. Default: `format`. */
  readonly formatTick?: (value: number) => string;
  /** The scale reaches at least up to this value, so that noise looks small. */
  readonly least: number;
  /** The unit in which a highest value is written. Default: 1. */
  readonly unitOf?: (highest: number) => number;
}

/** Draws one figure over a range. A period without reports is drawn as a gap. */
export function Chart(props: ChartProps): Markup {
  const { range, endMs, history, words, label, figureOf, format, formatTick = format, least, unitOf } = props;
  const { slotSeconds, seconds } = FLOW_RANGES[range];
  const values = history.flatMap((slot) => {
    const value = figureOf(slot);
    return value === null ? [] : [{ atMs: slot.beginsAt.getTime() + slotSeconds * 500, value }];
  });
  const { say } = words;
  const highest = values.reduce((best, { value }) => Math.max(best, value), 0);
  const said = values.length === 0 ? say('nothingYet') : say('upTo', format(highest));
  const formatTime = timeFormat(range, words.language);
  return (
    <figure class="chart">
      <figcaption>
        {label}
        {values.length === 0 && `: ${say('nothingYet')}`}
      </figcaption>
      <TimeChart
        description={`${label}. ${say(RANGE_NAMES[range])}: ${said}`}
        values={values}
        startMs={endMs - seconds * 1_000}
        endMs={endMs}
        gapMs={slotSeconds * 1_500}
        least={least}
        unit={unitOf?.(highest) ?? 1}
        formatValue={format}
        formatTick={formatTick}
        formatTime={formatTime}
      />
    </figure>
  );
}

/** Returns a function that formats an instant of a range in UTC: the time of the day, or the day of a month. */
export function timeFormat(range: FlowRange, language: Language): (atMs: number) => string {
  return range === 'month' ? dayFormat(language) : (atMs) => new Date(atMs).toISOString().slice(11, 16);
}

/** Returns a function that formats the day of an instant in UTC. */
export function dayFormat(language: Language): (atMs: number) => string {
  const format = new Intl.DateTimeFormat(languageTag(language), {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  return (atMs) => format.format(atMs);
}
