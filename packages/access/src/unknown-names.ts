/** What is asked for by a name or number, and how the message calls it. */
const WORDS = {
  company: { one: 'company', several: 'companies', participle: 'registered' },
  client: { one: 'client', several: 'clients', participle: 'registered' },
  person: { one: 'person', several: 'people', participle: 'registered' },
  permission: { one: 'permission', several: 'permissions', participle: 'known' },
  duty: { one: 'duty', several: 'duties', participle: 'known' },
  role: { one: 'role', several: 'roles', participle: 'known' },
} as const;
export type NameKind = keyof typeof WORDS;

/** Something was asked for by names that are none; the message says which, and which there are. */
export class UnknownNamesError extends Error {
  override readonly name = 'UnknownNamesError';
  readonly kind: NameKind;
  readonly unknown: readonly string[];
  readonly known: readonly string[];

  constructor(kind: NameKind, unknown: readonly string[], known: readonly string[]) {
    const { one, several, participle } = WORDS[kind];
    const subject =
      unknown.length === 1 ? `${one} ${unknown.join()} is` : `${several} ${unknown.join(', ')} are`;
    super(
      `${subject} not ${participle} (${known.length === 0 ? 'none is' : `${participle}: ${known.join(', ')}`})`,
    );
    this.kind = kind;
    this.unknown = unknown;
    this.known = known;
  }
}

/** `names` without repetition, as what they are; throws an UnknownNamesError where one is not among `known`. */
export function assertKnown<Name extends string>(
  kind: NameKind,
  names: readonly string[],
  known: readonly Name[],
): readonly Name[] {
  const unknown = names.filter((name) => !known.some((one) => one === name));
  if (unknown.length > 0) throw new UnknownNamesError(kind, unknown, known);
  return known.filter((name) => names.includes(name));
}
