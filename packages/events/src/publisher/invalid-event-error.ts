import { describeProblems, type EventProblem } from '../event-problem.js';

/** An event that the contract does not allow was given to publish; nothing of that call was published. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
  /** Position of the event in what was given to publish, from 0. */
  readonly index: number;
  readonly problems: readonly EventProblem[];

  constructor(index: number, problems: readonly EventProblem[]) {
    super(`event ${index}: ${describeProblems(problems)}`);
    this.index = index;
    this.problems = problems;
  }
}
