import type { Markup } from '@takt/pages';
import type { Child } from 'hono/jsx';

export interface Figure {
  readonly name: string;
  readonly value: Child;
  readonly unit?: string;
  readonly isBad?: boolean;
}

/** Figures with their names. */
export function Figures({ all }: { readonly all: readonly Figure[] }): Markup {
  return (
    <dl class="figures">
      {all.map(({ name, value, unit, isBad }) => (
        <div>
          <dt>{name}</dt>
          <dd class={isBad === true ? 'over' : undefined}>
            {value}
            {unit !== undefined && (
              <>
                {' '}
                <span class="unit">{unit}</span>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
