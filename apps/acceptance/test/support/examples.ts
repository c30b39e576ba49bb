import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EmptyProject } from '@takt/test-support';
import { expect } from 'chai';
import type { DemoSystem } from './demo-system.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Returns the text of a file in the repository. */
export const readDocument = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

/** Returns the text below a heading of level 2, up to the next such heading. */
export function sectionOf(markdown: string, heading: string): string {
  const [, after] = markdown.split(new RegExp(`^## ${heading}$`, 'm'));
  if (after === undefined) throw new Error(`there is no heading ${heading}`);
  return after.split(/^## /m)[0] ?? '';
}

/** Returns the code blocks of a language. '' selects the code blocks without a language. */
export function blocksOf(markdown: string, language: string): readonly string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms');
  return [...markdown.matchAll(fence)].map(([, block = '']) => block);
}

/** Splits a code block at its empty lines. */
export const paragraphsOf = (block: string): readonly string[] =>
  block.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '');

/** Links the takt command into a project, so that `npx takt` works there in the same way as in a checkout. */
export async function provideTakt({ folder }: EmptyProject): Promise<void> {
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await symlink(join(ROOT, 'apps/cli/bin/takt.js'), join(folder, 'node_modules/.bin/takt'));
}

const BETWEEN = '\f';

/**
 * Runs paragraphs of commands as one shell script. Returns the output of each paragraph. Fails if a paragraph fails.
 */
export async function runParagraphs(
  project: EmptyProject,
  demo: DemoSystem,
  paragraphs: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const script = paragraphs.map(demo.here).join("\nprintf '\\f'\n");
  const { code, stdout, stderr } = await project.run(script, {
    environment: { ...demo.environment, ...environment },
  });
  expect(code, `${stdout.slice(-2_000)}\n${stderr}`).to.equal(0);
  return stdout.split(BETWEEN);
}
