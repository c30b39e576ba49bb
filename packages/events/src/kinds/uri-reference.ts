import { defineKind } from './define-kind.js';

const MAX_LENGTH = 2_048;
// RFC 3986, appendix A. What it leaves to schemes (ports, the groups of an IPv6 address) is not looked into.
const PERCENT = '%[0-9A-Fa-f]{2}';
const SEGMENT = `(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|${PERCENT})`;
const SEGMENT_WITHOUT_COLON = `(?:[A-Za-z0-9._~!$&'()*+,;=@-]|${PERCENT})`;
const TAIL = `(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|${PERCENT})*`;
const AUTHORITY = `//(?:(?:${SEGMENT}*@)?\\[[0-9A-Fa-fv:.]+\\](?::[0-9]*)?|${SEGMENT}*)`;
const ROOTED = `(?:${AUTHORITY})?(?:/${SEGMENT}*)*`;
const SCHEME = '[A-Za-z][A-Za-z0-9+.-]*:';
const RELATIVE = `${SEGMENT_WITHOUT_COLON}+(?:/${SEGMENT}*)*`;
const PATH = `(?:${SCHEME}(?:${ROOTED}|${SEGMENT}+(?:/${SEGMENT}*)*)|${ROOTED}|${RELATIVE})`;
const URI_REFERENCE_TEXT = `^${PATH}(?:\\?${TAIL})?(?:#${TAIL})?$`;
const uriReferenceText = new RegExp(URI_REFERENCE_TEXT, 'u');

/** Gives the text if it is a URI reference (absolute or relative, not empty), else undefined. */
export function readUriReference(value: unknown): string | undefined {
  const isInLength = typeof value === 'string' && value.length > 0 && value.length <= MAX_LENGTH;
  return isInLength && uriReferenceText.test(value) ? value : undefined;
}

/** Where an event comes from, as CloudEvents wants it. */
export const uriReference = defineKind({
  name: 'uriReference',
  rule: `a URI reference of 1 to ${MAX_LENGTH} characters, such as /mes/line-3`,
  jsonSchema: { type: 'string', minLength: 1, maxLength: MAX_LENGTH, pattern: URI_REFERENCE_TEXT },
  read: readUriReference,
});
