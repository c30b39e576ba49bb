/** One line of the Prometheus metrics of an app. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Parses the text format of Prometheus. Supports only the parts that prom-client writes. */
export function readExposition(text: string): readonly Series[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
      return {
        name,
        labels: Object.fromEntries(pairs.map(([, label, said]) => [label, said])),
        value: Number(value),
      };
    });
}
