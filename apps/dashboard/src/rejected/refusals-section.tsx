import { renderMessage } from '@takt/catalogue/errors';
import type { Markup } from '@takt/pages';
import { REFUSAL_DAYS, type RefusalReason, type Refusals } from '@takt/rejections';
import { Ago, End, Note, WideTable } from '../pages/parts.js';
import type { Words } from '../words.js';
import { nameOfField, translatePhrase } from './reader.js';

export const SHOWN_REFUSALS = 12;

interface RefusalsSectionProps {
  readonly refusals: readonly Refusals[];
  readonly words: Words;
}

/** Lists what the intake refused in the last days, by producer and reason. These events are stored nowhere. */
export function RefusalsSection({ refusals, words }: RefusalsSectionProps): Markup | null {
  if (refusals.length === 0) return null;
  const { say, number } = words;
  return (
    <section aria-labelledby="refused">
      <h2 id="refused">{say('refusedEvents')}</h2>
      <Note>{say('refusedLead', number(REFUSAL_DAYS))}</Note>
      <WideTable
        name={say('refusedEvents')}
        columns={[`>${say('refusedTimes')}`, say('producer'), say('reason'), say('last')]}
        words={words}
      >
        {refusals.map(({ producer, error, times, lastAt }) => (
          <tr>
            <End>{number(times)}</End>
            <th scope="row">{producer}</th>
            <td class="reason">{reasonOf(error, words)}</td>
            <td>
              <Ago ms={lastAt.getTime()} words={words} />
            </td>
          </tr>
        ))}
      </WideTable>
    </section>
  );
}

/** Returns the reason in the language of the reader. Values of requests are not kept, so their places show an ellipsis. */
function reasonOf({ code, broken }: RefusalReason, words: Words): string {
  if (broken !== undefined) {
    return `${nameOfField(broken.field, words)} ${translatePhrase(broken.rule, words)}`;
  }
  return renderMessage(code, [], words.language).replaceAll(/\{\d\}/g, '…');
}
