import { type AnswerKept, type KeptOutcome, keepAnswers } from '../../src/respond/kept-answers.js';

export interface CountedAnswers {
  readonly answerKept: AnswerKept;
  /** Returns the cache outcomes of all requests since the last call. */
  takeOutcomes(): readonly KeptOutcome[];
  readonly bytes: () => number;
}

/** Creates a cache that also reports its outcomes and its size. */
export function keepForTest(maxBytes = 4_000_000): CountedAnswers {
  const outcomes: KeptOutcome[] = [];
  let bytes = () => 0;
  const metrics = {
    count: (outcome: KeptOutcome) => outcomes.push(outcome),
    observeBytes: (given: () => number) => {
      bytes = given;
    },
  };
  return {
    answerKept: keepAnswers({ maxBytes, metrics }),
    takeOutcomes: () => outcomes.splice(0),
    bytes: () => bytes(),
  };
}
