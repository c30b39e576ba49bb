import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const NOT_OURS = new Set(['node_modules', 'dist', 'build-output', '.git', '.takt', '.turbo']);

function findFiles(ending: RegExp, folder = ''): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : findFiles(ending, path);
    return ending.test(path) ? [path] : [];
  });
}

const documents = findFiles(/\.md$/).map((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return { path, text, prose: text.replace(/^```.*?^```/gms, '').replace(/<!--.*?-->/gs, '') };
});

/** The test that covers the commands of each section. Most of these tests read the commands from the page. */
const RUN_BY: Readonly<Record<string, string>> = {
  'README.md: Start': 'apps/cli/test/system/start.test.ts',
  'README.md: Look around': 'apps/acceptance/test/system/reading-examples.test.ts',
  'README.md: Publish events': 'apps/acceptance/test/system/reading-examples.test.ts',
  'README.md: Read figures': 'apps/acceptance/test/system/reading-examples.test.ts',
  'docs/client.md: TypeScript client': 'apps/acceptance/test/system/reading-examples.test.ts',
  'docs/reading.md: Every request needs a token': 'apps/acceptance/test/system/reading-examples.test.ts',
  'docs/reading.md: Lists': 'apps/acceptance/test/system/reading-examples.test.ts',
  'docs/reading.md: Errors say what to do': 'apps/acceptance/test/system/reading-examples.test.ts',
  'docs/planners.md: Which plans to correct': 'apps/cli/test/plan-suggest.test.ts',
  'docs/import.md: Your own data': 'apps/cli/test/import.test.ts',
  'docs/publishing.md: Over HTTP': 'apps/acceptance/test/system/reading-examples.test.ts',
  'docs/publishing.md: With curl': 'apps/acceptance/test/system/publishing-examples.test.ts',
  "docs/publishing.md: With Python's standard library":
    'apps/acceptance/test/system/publishing-examples.test.ts',
  'docs/publishing.md: With the CloudEvents SDK for JavaScript':
    'apps/acceptance/test/system/publishing-examples.test.ts',
  'docs/publishing.md: With our publisher': 'apps/acceptance/test/system/publishing-examples.test.ts',
  'docs/publishing.md: With BullMQ alone, on Redis':
    'apps/acceptance/test/system/publishing-examples.test.ts',
  'docs/publishing.md: With BullMQ alone, on PostgreSQL':
    'apps/acceptance/test/system/publishing-examples.test.ts',
  'docs/operating/backup.md: One file': 'apps/cli/test/system/backup-in-a-shell.test.ts',
  'docs/operating/backup.md: Restore': 'apps/cli/test/system/backup-in-a-shell.test.ts',
  'docs/operating/backup.md: A point in time': 'apps/acceptance/test/system/endurance/point-in-time.test.ts',
  'docker/README.md: Takt in containers': 'apps/acceptance/test/images/compose.test.ts',
  'docs/operating/install.md: Install': 'apps/acceptance/test/images/compose.test.ts',
  'docs/operating/install.md: Migrate and start the apps': 'apps/cli/test/login.test.ts',
  'docs/operating/install.md: The dashboard': 'apps/cli/test/login.test.ts',
  'docs/operating/install.md: The intake': 'apps/acceptance/test/system/publish-over-http.test.ts',
  'docs/operating/install.md: Without a container engine':
    'apps/acceptance/test/system/endurance/images.test.ts',
  'docs/operating/maintain.md: Old operations': 'apps/cli/test/prune.test.ts',
  'docs/operating/maintain.md: Time zones and units': 'apps/cli/test/master-data.test.ts',
  'docs/operating/maintain.md: Indexes and vacuum': 'packages/figures/test/system/maintain.test.ts',
  'docs/operating/scale.md: A Redis Cluster': 'apps/acceptance/test/system/endurance/redis-cluster.test.ts',
  'docs/operating/citus.md: 3. The database and its log-ins': 'apps/cli/test/cluster.test.ts',
  'docs/operating/citus.md: 4. The cluster': 'apps/cli/test/cluster.test.ts',
  'docs/operating/citus.md: 5. Companies': 'apps/cli/test/cluster.test.ts',
  'docs/operating/citus.md: Another node': 'apps/cli/test/cluster.test.ts',
  'docs/operating/scale.md: The API on a streaming replica':
    'apps/acceptance/test/system/endurance/read-replica.test.ts',
  'docs/operating/upgrade.md: Upgrade': 'apps/acceptance/test/system/endurance/upgrade.test.ts',
  'docs/operating/upgrade.md: From a version before 1.0.0':
    'apps/acceptance/test/system/endurance/before-release.test.ts',
};

/** Sections with commands that no test can run, each with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md: Working on Takt': 'they run the tests themselves',
  'apps/benchmarks/README.md: Benchmarks': 'they take minutes; parts of them run in apps/benchmarks/test',
  'docs/operating/install.md: Images': 'they need a container engine; the images are tried without one',
  'docs/operating/install.md: Docker Compose': 'as for images',
  'docs/operating/install.md: The proxy':
    'it needs a server of its own; proxy.test.ts runs HAProxy with the file',
  'docs/operating/upgrade.md: Docker Compose': 'as for images',
  'docs/operating/upgrade.md: Kubernetes': 'they need a cluster',
  'docs/operating/install.md: Kubernetes': 'they need a cluster; the manifests are checked',
  'docs/operating/monitor.md: Traces': 'they install what the tests of traces already have',
};

/** Returns all sections with commands. Each section is given by its document and heading. */
function commandSections(): readonly string[] {
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(/^```(?:sh|bash)$/gm)].map(({ index }) => {
      const before = text.slice(0, index).replace(/^```.*?^```$/gms, '');
      return `${path}: ${[...before.matchAll(/^#+ (.+)$/gm)].at(-1)?.[1]}`;
    }),
  );
}

/** Returns every call of takt in a block of commands. A call ends with its shell command. */
const callsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^```(?:sh|bash|crontab)\n(.*?)^```$/gms)]
    .map(([, block = '']) => block.replace(/\\\n/g, ' ').replace(/(^|\s)#.*$/gm, ''))
    .flatMap((block) =>
      [...block.matchAll(/(?:npx|run --rm) takt ([a-z][^\n|)&;]*)/g)].map(([, call = '']) => call),
    );

/** Returns the anchor that GitHub makes for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (path: string): readonly string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** True if the target of a link does not exist. The link is relative to the folder of its document. */
function isBroken(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(ROOT, document) : join(ROOT, dirname(document), path);
  const found = statSync(target, { throwIfNoEntry: false });
  if (found === undefined) return true;
  return anchor !== undefined && found.isFile() && !anchorsOf(target).includes(anchor);
}

/** Returns the sentences of paragraphs, list items and table cells. Each sentence is on one line. */
function sentencesOf(prose: string): readonly string[] {
  return prose
    .split(/\n{2,}|\n(?=\s*(?:[-*]|\d+\.) |\|)|(?<=\|.*)\|/)
    .flatMap((part) =>
      part
        .replace(/^[\s|]*(?:[-*]|\d+\.)?\s+/, '')
        .replace(/\s+/g, ' ')
        .split(/(?<=[.:?!]\*{0,2}) (?=[A-Z"“`*[])/),
    )
    .map((sentence) => sentence.replace(/[*_]{2}/g, '').trim())
    .filter((sentence) => sentence !== '' && !sentence.startsWith('#'));
}

/**
 * Returns sentences that are not questions but start with Of which, What, Who or Whether. The path of the file precedes
 * each sentence.
 */
const riddlesIn = (path: string, sentences: readonly string[]): readonly string[] =>
  sentences
    .filter((sentence) => /^(?:Of which|(?:What|Who|Whether)(?:ever|ever's)?)\b[^?]*$/.test(sentence))
    .filter((sentence) => sentence.split(' ').length > 3)
    .map((sentence) => `${path}: ${sentence.slice(0, 100)}`);

describe('the documents', () => {
  it('have no broken links', () => {
    const broken = documents.flatMap(({ path, prose }) =>
      [...prose.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => isBroken(path, link))
        .map((link) => `${path}: ${link}`),
    );
    expect(broken).to.deep.equal([]);
  });

  it('are joined by SQL files that name only existing files', () => {
    const missing = findFiles(/\.sql$/).flatMap((path) =>
      [
        ...readFileSync(join(ROOT, path), 'utf8').matchAll(
          /\b(?:packages|apps|migrations|docs)\/[\w./-]+\.\w+/g,
        ),
      ]
        .map(([file]) => file)
        .filter((file) => isBroken('README.md', file))
        .map((file) => `${path}: ${file}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('start no sentence or heading with "Of which", and only questions with "What", "Who" or "Whether"', () => {
    const riddles = documents.flatMap(({ path, prose }) => [
      ...riddlesIn(path, sentencesOf(prose)),
      ...riddlesIn(
        path,
        [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading),
      ),
    ]);
    expect(riddles).to.deep.equal([]);
  });

  it('follow the same rule for openings as comments, messages and test titles in all sources', () => {
    const riddles = findFiles(/\.tsx?$/).flatMap((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const comments = [...text.matchAll(/\/\*\*?(.*?)\*\/|(?<=^|\s)\/\/ (.*?)$(?!\n *\/\/ )/gms)].map(
        ([, block, line = '']) => (block ?? line).replace(/^ *(?:\*|\/\/) ?/gm, ''),
      );
      const texts = [...text.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(
        ([, quoted, template = '']) => quoted ?? template,
      );
      return riddlesIn(path, [...comments, ...texts].flatMap(sentencesOf));
    });
    expect(riddles).to.deep.equal([]);
  });

  it('contain no long sentence of another document', () => {
    const places = new Map<string, Set<string>>();
    for (const { path, prose } of documents) {
      for (const sentence of sentencesOf(prose)) {
        if (sentence.split(' ').length < 8) continue;
        places.set(sentence, (places.get(sentence) ?? new Set()).add(path));
      }
    }
    const repeated = [...places].filter(([, paths]) => paths.size > 1);
    expect(repeated.map(([sentence, paths]) => `${[...paths].join(', ')}: ${sentence}`)).to.deep.equal([]);
  });

  it('contain only commands that a test runs, or that have a listed reason for not being run', () => {
    expect([...new Set(commandSections())]).to.have.members([
      ...Object.keys(RUN_BY),
      ...Object.keys(NOT_RUN),
    ]);
    for (const test of Object.values(RUN_BY)) {
      expect(statSync(join(ROOT, test)).isFile(), test).to.equal(true);
    }
  });

  it('use only existing commands and options of takt', () => {
    const reference = readFileSync(join(ROOT, 'docs/reference/command-line.md'), 'utf8');
    const helpOf = (command: string) => reference.split(`\n## takt ${command}\n`)[1]?.split('\n## ')[0];
    const calls = documents.flatMap(({ path, text }) => callsOf(text).map((call) => ({ path, call })));
    expect(calls).to.have.length.above(30);
    for (const { path, call } of calls) {
      const [first = '', second = ''] = call.split(' ');
      const help = helpOf(`${first} ${second}`) ?? helpOf(first);
      expect(help, `${path}: takt ${call}`).to.be.a('string');
      for (const [option] of call.matchAll(/(?<= )--[a-z-]+/g)) {
        expect(help, `${path}: takt ${call}`).to.match(new RegExp(`${option}\\b`));
      }
    }
  });

  it('have a limited number of lines if they are entry pages', () => {
    const limitOf = (path: string) =>
      ({ 'README.md': 130, 'CONTRIBUTING.md': 120 })[path] ?? (path.endsWith('README.md') ? 40 : Infinity);
    const long = documents
      .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
      .filter(({ path, lines }) => !path.startsWith('docs/') && lines > limitOf(path));
    expect(long.map(({ path, lines }) => `${path}: ${lines} lines`)).to.deep.equal([]);
  });
});
