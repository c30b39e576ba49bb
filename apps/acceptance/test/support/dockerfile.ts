import { readFileSync } from 'node:fs';
import { DockerfileParser } from 'dockerfile-ast';

/** The Dockerfile. Tests read from it the commands that install and run the programs, and execute the same commands. */
export const DOCKERFILE = new URL('../../../../../docker/Dockerfile', import.meta.url);

export interface Stage {
  readonly name: string;
  /**
   * Instructions of the stage, without the instructions of its base. An instruction on several lines is joined into one
   * line.
   */
  readonly instructions: readonly { readonly keyword: string; readonly text: string }[];
}

export interface Image {
  /** The app in the image, for example api. */
  readonly app: string;
  /** Build commands that install the app. Tests run them in the checkout. */
  readonly install: readonly string[];
  readonly entrypoint: readonly string[];
  readonly healthcheck: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly user: string;
}

export function readStages(): readonly Stage[] {
  const stages: { readonly name: string; readonly instructions: { keyword: string; text: string }[] }[] = [];
  const lines = readFileSync(DOCKERFILE, 'utf8').split('\n');
  for (const instruction of DockerfileParser.parse(lines.join('\n')).getInstructions()) {
    const { start, end } = instruction.getRange();
    const joined = lines
      .slice(start.line, end.line + 1)
      .join('\n')
      .replace(/\\\n\s*/g, '');
    const keyword = instruction.getKeyword();
    const text = joined.slice(keyword.length + 1);
    if (keyword === 'FROM') stages.push({ name: / AS (\S+)$/.exec(text)?.[1] ?? '', instructions: [] });
    stages.at(-1)?.instructions.push({ keyword, text });
  }
  return stages;
}

/** Returns the images that run an app. They are the stages based on the stage `app`. */
export function readImages(): readonly Image[] {
  const stages = readStages();
  const base = stages.find(({ name }) => name === 'app');
  const of = (stage: Stage | undefined, keyword: string) =>
    (stage?.instructions ?? []).filter((one) => one.keyword === keyword).map(({ text }) => text);
  return stages
    .filter((stage) => of(stage, 'FROM')[0]?.startsWith('app ') === true)
    .map((stage) => {
      const installed = stages.find(({ name }) => name === `installed-${stage.name}`);
      const [healthcheck] = of(stage, 'HEALTHCHECK').map((text) => /CMD (\[.*\])$/.exec(text)?.[1] ?? '');
      return {
        app: stage.name,
        install: of(installed, 'RUN').map((text) => text.replace(/--mount=\S+ /g, '')),
        entrypoint: JSON.parse(of(stage, 'ENTRYPOINT')[0] ?? '[]'),
        healthcheck: healthcheck === undefined ? undefined : JSON.parse(healthcheck),
        environment: Object.fromEntries(
          of(base, 'ENV').flatMap((text) => text.split(' ').map((pair) => pair.split('='))),
        ),
        user: of(base, 'USER')[0] ?? '',
      };
    });
}
