import type { Markup } from '@takt/pages';
import { companyIn } from '@takt/rejections';
import type { Words } from '../words.js';

/** The figures to which an event contributes once it is accepted: those of its structure version. */
export interface EventFigures {
  readonly structureVersionId: number;
  /** The company that the event names; null if it names none. */
  readonly company: string | null;
}

/**
 * Returns the figures of an event. Returns undefined if the event names no structure version by its number, or if the
 * person may not see it.
 */
export function figuresOf(event: unknown): EventFigures | undefined {
  const data: unknown =
    typeof event === 'object' && event !== null && 'data' in event ? event.data : undefined;
  const id: unknown =
    typeof data === 'object' && data !== null && 'productStructureVersionId' in data
      ? data.productStructureVersionId
      : undefined;
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 1
    ? { structureVersionId: id, company: companyIn(event) }
    : undefined;
}

/** Writes the parameters of the list that is shown after an event was sent to its queue. */
export function writeFigures({ structureVersionId, company }: EventFigures): Record<string, string> {
  return { figures: String(structureVersionId), ...(company !== null && { of: company }) };
}

export function readFigures(query: URLSearchParams): EventFigures | undefined {
  const id = query.get('figures') ?? '';
  return /^[1-9]\d{0,14}$/.test(id)
    ? { structureVersionId: Number(id), company: query.get('of') }
    : undefined;
}

interface FiguresLinkProps {
  readonly figures: EventFigures;
  readonly apiUrl: string;
  readonly words: Words;
}

export function FiguresLink({ figures, apiUrl, words }: FiguresLinkProps): Markup {
  const { structureVersionId, company } = figures;
  const path = `/product/structure-versions/${structureVersionId}/aggregated-production-times`;
  const query = company === null ? '' : `?${new URLSearchParams({ $db: company })}`;
  return <a href={apiUrl + path + query}>{words.say('itsFigures')}</a>;
}
