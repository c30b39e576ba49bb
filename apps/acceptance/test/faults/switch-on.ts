/** A deliberate change of the worker's program, by the name of its file. */
export type Fault =
  | 'acknowledge-before-commit'
  | 'two-transactions'
  | 'default-stall-limit'
  | 'short-claims'
  | 'brief-claims';

/** Arguments for node that switch it on in a worker. */
export function switchOn(fault: Fault): readonly string[] {
  return ['--import', new URL(`./${fault}.js`, import.meta.url).href];
}

/** How often a worker's output tells that a changed module was loaded. */
export function countSwitchedOn(output: string): number {
  return output.split('FAULT SWITCHED IN: ').length - 1;
}
