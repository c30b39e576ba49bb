import { readFileSync } from 'node:fs';

/**
 * The arguments that a program of Takt gives to node: they stand in the program's first line, so that npm's scripts,
 * `takt start` and the images run it with the same ones. Throws where that line is not one for env and node.
 */
export function nodeArgumentsOf(program: string): readonly string[] {
  const [line = ''] = readFileSync(program, 'utf8').split('\n', 1);
  const written = /^#!\/usr\/bin\/env (?:-S )?node((?: --\S+)*)$/.exec(line)?.[1];
  if (written === undefined) throw new Error(`${program} does not begin with #!/usr/bin/env -S node`);
  return written.split(' ').slice(1);
}
