import { type Field, text } from './field.js';

/** The field that `$showDomainDescriptions` adds beside one that holds domain values; undefined beside any other. */
export function domainDescriptionOf({ name, domain }: Field): Field | undefined {
  if (domain === undefined) return undefined;
  return text(
    `${name}Description`,
    `What the value of ${name} means, in the language of $lang; only with $showDomainDescriptions=true.`,
    { isNullable: true },
  );
}
