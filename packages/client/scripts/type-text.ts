import {
  domainDescriptionOf,
  type Field,
  type FieldType,
  type Group,
  jsonName,
  type Node,
} from '@takt/catalogue/resources';

const LINE_WIDTH = 110;

const types: Readonly<Record<FieldType, string>> = {
  integer: 'number',
  decimal: 'number',
  text: 'string',
  boolean: 'boolean',
  instant: 'string',
  link: 'string',
};

/** A doc comment and lines, indented like the formatter does. */
export function documented(description: string, lines: readonly string[]): readonly string[] {
  return [`/** ${description.replaceAll('*/', '* /')} */`, ...lines];
}

export const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

/** `name: 'a' | 'b';`, on several lines if too long, at indentation `depth`. */
export function unionMember(name: string, values: readonly string[], depth: number): readonly string[] {
  const quoted = values.map((value) => `'${value}'`);
  const line = `readonly ${name}: ${quoted.join(' | ') || 'never'};`;
  if (line.length + 2 * depth <= LINE_WIDTH) return [line];
  const last = quoted.length - 1;
  return [
    `readonly ${name}:`,
    ...indented(quoted.map((value, index) => `| ${value}${index === last ? ';' : ''}`)),
  ];
}

/** Generates TypeScript interfaces for served objects and the types inside them. */
export class TypeTexts {
  readonly #interfaces = new Map<string, readonly string[]>();
  readonly #shared: ReadonlySet<Group>;
  readonly #onRequest: ReadonlySet<Node>;

  /** `shared`: groups that get an interface of their own; `onRequest`: served on request, but not by `$expand`. */
  constructor(shared: ReadonlySet<Group>, onRequest: ReadonlySet<Node>) {
    this.#shared = shared;
    this.#onRequest = onRequest;
  }

  /** Adds an interface. Throws if its name is taken. */
  add(name: string, description: string, children: readonly Node[]): void {
    // Stored before it is written, because an item may contain items of its own kind.
    const known = this.#interfaces.get(name);
    this.#interfaces.set(name, known ?? []);
    const members = children.flatMap((child) => this.#member(child, name));
    const lines = documented(description, [`export interface ${name} {`, ...indented(members), '}']);
    if (known !== undefined && known.length > 0 && known.join() !== lines.join()) {
      throw new Error(`two interfaces are named ${name}`);
    }
    this.#interfaces.set(name, lines);
  }

  /** All interfaces, sorted by name. */
  toLines(): readonly string[] {
    const names = [...this.#interfaces.keys()].sort();
    return names.flatMap((name) => [...(this.#interfaces.get(name) ?? []), '']);
  }

  #member(node: Node, owner: string): readonly string[] {
    const isOptional = node.duty !== undefined || node.expandedBy !== undefined || this.#onRequest.has(node);
    const name = `readonly ${jsonName(node.name)}${isOptional ? '?' : ''}`;
    switch (node.kind) {
      case 'field':
        return this.#fieldMembers(node, name);
      case 'collection':
        return documented(notesOf(node), [`${name}: readonly ${this.#item(node.item(), owner)}[];`]);
      case 'group':
        return documented(notesOf(node), this.#group(node, name, owner));
    }
  }

  #fieldMembers(field: Field, name: string): readonly string[] {
    const description = domainDescriptionOf(field);
    return [
      ...documented(notesOf(field), [`${name}: ${types[field.type]}${field.isNullable ? ' | null' : ''};`]),
      ...(description === undefined
        ? []
        : documented(
            `Meaning of the value of ${jsonName(field.name)}; only with \`descriptions: true\`, null if unknown.`,
            [`readonly ${jsonName(description.name)}?: string | null;`],
          )),
    ];
  }

  #group(group: Group, name: string, owner: string): readonly string[] {
    if (this.#shared.has(group)) {
      const shared = `${group.name}Group`;
      this.add(shared, group.description, group.children);
      return [`${name}: ${shared};`];
    }
    return [`${name}: {`, ...indented(group.children.flatMap((child) => this.#member(child, owner))), '};'];
  }

  /** Items have names, because an item may contain items of its own kind. */
  #item(item: Group, owner: string): string {
    const name = owner.endsWith(item.name) ? owner : `${owner}${item.name}`;
    if (!this.#interfaces.has(name)) this.add(name, item.description, item.children);
    return name;
  }
}

/** Description, unit, and when the value is missing. */
function notesOf(node: Node): string {
  const { description, duty, expandedBy } = node;
  return [
    description,
    ...(node.kind === 'field' ? fieldNotes(node) : []),
    ...(expandedBy === undefined ? [] : [`Only with \`expand: ['${expandedBy}']\`.`]),
    ...(duty === undefined ? [] : [`Left out for who lacks the duty ${duty}.`]),
  ].join(' ');
}

function fieldNotes({ description, type, unit, domain, isNullable }: Field): readonly string[] {
  const known = Object.entries(domain?.values ?? {}).map(([key, { eng }]) =>
    key === eng ? key : `${key} ${eng}`,
  );
  return [
    ...(unit === 'h' && !/\bhours\b/i.test(description) ? ['In hours.'] : []),
    ...(unit === '%' && !/\bpercent\b/i.test(description) ? ['In percent.'] : []),
    ...(type === 'instant' ? ['As yyyy-MM-ddTHH:mm:ssZ.'] : []),
    ...(known.length === 0 ? [] : [`Known values: ${known.join(', ')}.`]),
    ...(isNullable && !/\bnull\b/.test(description) ? ['Null where there is none.'] : []),
  ];
}
