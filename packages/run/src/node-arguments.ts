import { readFileSync } from 'node:fs';

/**
 * Returns the arguments for node in the first line of a program. So npm scripts, `takt start` and the images run the
 * program with the same arguments. Throws if the first line does not call node by env.
 */
export function nodeArgumentsOf(program: string): readonly string[] {
  const [line = ''] = readFileSync(program, 'utf8').split('\n', 1);
  const written = /^#!\/usr\/bin\/env (?:-S )?node((?: --\S+)*)$/.exec(line)?.[1];
  if (written === undefined) throw new Error(`${program} does not begin with #!/usr/bin/env -S node`);
  return written.split(' ').slice(1);
}
