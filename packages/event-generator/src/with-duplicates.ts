import type { GeneratedEvent } from './generated-event.js';
import type { Random } from './random.js';
import { createShareSelector } from './share-selector.js';

/** A copy follows its original after at most so many other events. */
const MAX_DELAY_EVENTS = 2_000;

/** The events, and exact copies of `share` of them further on in the stream. */
export function* withDuplicates(
  events: Iterable<GeneratedEvent>,
  options: { readonly total: number; readonly share: number; readonly random: Random },
): Generator<GeneratedEvent> {
  const isCopied = createShareSelector(options.total, options.share, options.random);
  const due = new Map<number, GeneratedEvent[]>();
  let place = 0;
  for (const event of events) {
    yield event;
    if (isCopied()) {
      const copyPlace = place + options.random.below(MAX_DELAY_EVENTS);
      const others = due.get(copyPlace);
      if (others === undefined) due.set(copyPlace, [event]);
      else others.push(event);
    }
    yield* due.get(place) ?? [];
    due.delete(place);
    place += 1;
  }
  for (const [, copies] of [...due].sort(([one], [other]) => one - other)) yield* copies;
}
