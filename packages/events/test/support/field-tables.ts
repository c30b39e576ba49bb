import type * as z from 'zod';
import type { EventDefinition } from '../../src/internal.js';

type Schema = z.core.JSONSchema.BaseSchema;

/** A type of event with its JSON Schema. */
export interface Described {
  readonly definition: EventDefinition<string, unknown>;
  readonly schema: Schema;
}

const DEFINITIONS = '#/$defs/';

/**
 * Writes the Markdown tables of the reference: one for the envelope, one for the data of each type, and one for the
 * rules that the other tables refer to.
 */
export function fieldTables(described: readonly Described[]): string {
  const envelope = described[0] === undefined ? '' : envelopeTable(described[0].schema);
  const data = described.map(({ definition, schema }) =>
    [
      `## \`${definition.type}\``,
      `${definition.about} Queue \`${definition.queue}\`.`,
      table(
        ['field of `data`', 'rule', 'presence', 'meaning'],
        rowsOf(asObject(schema.properties?.['data']), ''),
      ),
    ].join('\n\n'),
  );
  return ['## Envelope', envelope, ...data, '## Rules', ruleTable(described)].join('\n\n');
}

function envelopeTable(schema: Schema): string {
  const rows = rowsOf(schema, '').filter(([path]) => !path?.includes('data') && path !== '`type`');
  return table(
    ['field', 'rule', 'presence', 'meaning'],
    [
      ...rows,
      ['`type`', 'one of the types below', 'required', 'what happened'],
      ['`data`', 'object', 'required', 'see the type'],
    ],
  );
}

function ruleTable(described: readonly Described[]): string {
  const rules = new Map<string, string>();
  for (const { schema } of described) {
    for (const [name, rule] of Object.entries(schema.$defs ?? {})) {
      rules.set(name, rule.description ?? '');
    }
  }
  rules.delete('type');
  return table(
    ['rule', 'the value must be'],
    [...rules].sort().map(([name, rule]) => [name, rule]),
  );
}

function rowsOf(schema: Schema, prefix: string): string[][] {
  const required = new Set(schema.required);
  const alternatives = new Set(
    (schema.allOf ?? [])
      .flatMap((rule) => asObject(rule).oneOf ?? [])
      .flatMap((one) => asObject(one).required ?? []),
  );
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const field = asObject(property);
    const inner = [field, ...(field.anyOf ?? []).map(asObject)].find((one) => one.properties !== undefined);
    const presence = alternatives.has(name) ? 'one of both' : required.has(name) ? 'required' : 'optional';
    const row = [`\`${prefix}${name}\``, ruleName(field), presence, field.description ?? ''];
    return [row, ...(inner === undefined ? [] : rowsOf(inner, `${prefix}${name}.`))];
  });
}

function ruleName(field: Schema): string {
  if (field.anyOf !== undefined) {
    return field.anyOf.map((one) => ruleName(asObject(one))).join(' or ');
  }
  return field.$ref?.replace(DEFINITIONS, '') ?? String(field.type);
}

function asObject(schema: z.core.JSONSchema._JSONSchema | undefined): Schema {
  return typeof schema === 'object' ? schema : {};
}

/** Writes a Markdown table. The alignment is that of the formatter. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  const [first = [], ...others] = lines;
  return [first, rule, ...others]
    .map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
    .join('\n');
}
