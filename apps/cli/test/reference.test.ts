import { expectWrittenPart } from '@takt/test-support';
import { expect } from 'chai';
import { runCommandLine } from '../src/run-command-line.js';
import { openTestTerminal } from './support/test-terminal.js';

async function helpOf(command: readonly string[]): Promise<string> {
  let help = '';
  const { terminal } = openTestTerminal();
  const write = async (text: string) => {
    help += text;
  };
  expect(await runCommandLine([...command, '--help'], { ...terminal, write })).to.equal(0);
  return help;
}

/** Returns the help of a command and of its subcommands, in the order in which the help lists them. */
async function sectionsOf(command: readonly string[]): Promise<readonly string[]> {
  const help = await helpOf(command);
  const [, list = ''] = help.split('\nCommands:\n');
  const below = [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name);
  const sections = [`## ${['takt', ...command].join(' ')}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\``];
  for (const name of below.filter((each) => each !== 'help')) {
    sections.push(...(await sectionsOf([...command, name])));
  }
  return sections;
}

describe('the reference of the command line', () => {
  it('contains the help of every command', async () => {
    const sections = await sectionsOf([]);
    expect(sections).to.have.length.above(40);
    expectWrittenPart('docs/reference/command-line.md', sections.join('\n\n'));
  });
});
