import { readFile, writeFile } from 'node:fs/promises';
import { OUTPUT, toMarkdown } from './harness.js';

const PAGE = new URL('../../../../docs/benchmarks.md', import.meta.url);

/** Returns the pattern of a block of the page that a program writes, between two comments that name it. */
const blockOf = (name: string) => new RegExp(`(?<=^<!-- ${name} -->\n).*?(?=^<!-- /${name} -->$)`, 'ms');

/** Replaces the blocks of the given benchmarks by their last reports, and then the block of all goals. */
export async function writePage(benchmarks: readonly string[]): Promise<void> {
  let page = await readFile(PAGE, 'utf8');
  for (const name of benchmarks) {
    page = withBlock(page, name, await readFile(new URL(`${name}.md`, OUTPUT), 'utf8'));
  }
  await writeFile(PAGE, withBlock(page, 'goals', goalsOf(page)));
}

/** Returns the page with another text in a block. Throws if the page has no such block. */
export function withBlock(page: string, name: string, text: string): string {
  const block = blockOf(name);
  if (!block.test(page)) throw new Error(`docs/benchmarks.md has no block "${name}"`);
  return page.replace(block, () => `\n${text.trim()}\n\n`);
}

/** Says how many goals in the tables of the page are met, and lists those that are not. */
export function goalsOf(page: string): string {
  const goals = page
    .replace(blockOf('goals'), '')
    .split(/\n{2,}/)
    .filter((table) => table.startsWith('| goal '))
    .flatMap((table) => {
      const [head = [], , ...rows] = table
        .split('\n')
        .map((line) => line.split('|').map((cell) => cell.trim()));
      return rows.map((cells) => Object.fromEntries(head.map((title, index) => [title, cells[index] ?? ''])));
    });
  const missed = goals.filter(({ met }) => met === 'no');
  const rows = missed.map(({ goal = '', reached = '', target = '' }) => ({ goal, reached, target }));
  const first = `${goals.length - missed.length} of ${goals.length} goals are met.`;
  return rows.length === 0 ? first : `${first} These are not:\n\n${toMarkdown(rows)}`;
}
