import { Counter, Gauge, type Registry } from 'prom-client';

/** `sent`: a kept answer was true still; `changed`: data had changed since it was made; `made`: there was none yet. */
export const keptOutcomes = ['sent', 'changed', 'made'] as const;
export type KeptOutcome = (typeof keptOutcomes)[number];

export interface KeptMetrics {
  count(outcome: KeptOutcome): void;
  observeBytes(bytes: () => number): void;
}

export function createKeptMetrics(registry: Registry): KeptMetrics {
  const answers = new Counter({
    name: 'takt_kept_answers_total',
    help: 'Requests for answers that can be kept, by whether a kept one was sent, had been made of data that changed since, or was not there',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of keptOutcomes) answers.inc({ outcome }, 0);
  return {
    count: (outcome) => answers.inc({ outcome }),
    observeBytes: (bytes) => {
      new Gauge({
        name: 'takt_kept_answers_bytes',
        help: 'Memory that kept answers take',
        registers: [registry],
        collect() {
          this.set(bytes());
        },
      });
    },
  };
}
