/** What stands in an address besides the identifiers of its path, by the name of the option. */
const parameters: Readonly<Record<string, (value: unknown) => readonly [name: string, value: string]>> = {
  filter: (value) => ['$filter', String(value)],
  orderBy: (value) => ['$orderby', [value].flat().join(',')],
  search: (value) => ['search', String(value)],
  top: (value) => ['$top', value === 'max' ? '$max' : String(value)],
  pageKey: (value) => ['$pageKey', String(value)],
  count: (value) => ['$inlinecount', value === true ? 'allpages' : 'none'],
  expand: (value) => ['$expand', [value].flat().join(',')],
  select: (value) => ['$select', [value].flat().join(',')],
  descriptions: (value) => ['$showDomainDescriptions', String(value)],
  language: (value) => ['$lang', String(value)],
  company: (value) => ['$db', String(value)],
  format: (value) => ['$format', String(value)],
  decimal: (value) => ['$decimal', String(value)],
  // Of one resource each, under their own names.
  field: (value) => ['field', String(value)],
  object: (value) => ['object', String(value)],
  uri: (value) => ['uri', String(value)],
  verb: (value) => ['verb', String(value)],
};

/**
 * The address of a request below that of the service, from identifiers of its path and options. Throws a TypeError for an
 * option that there is not, because one that is misspelt would be left out, and the answer be that of another question; and
 * where an identifier of the path is missing.
 */
export function addressOf(path: string, options: object): string {
  const given = new Map<string, unknown>(Object.entries(options));
  given.delete('signal');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const identifier = given.get(name);
    if (identifier === undefined) throw new TypeError(`${path} needs ${name}`);
    given.delete(name);
    return encodeURIComponent(String(identifier));
  });
  const query = new URLSearchParams();
  for (const [name, value] of given) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) throw new TypeError(`there is no option ${name}`);
    if (value !== undefined) query.append(...parameter(value));
  }
  const text = query.toString();
  return text === '' ? filled : `${filled}?${text}`;
}
