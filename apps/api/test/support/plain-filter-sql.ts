import { comparisonOperators } from '@takt/query';
import { type SQL, sql } from 'drizzle-orm';
import type { Condition, Term } from '../../src/plan/condition.js';
import type { PlaceholderOf } from '../../src/sql/filter-sql.js';
import { folded, operandSql, sourceOf, TYPES } from '../../src/sql/operand-sql.js';

/**
 * Returns a filter in plain SQL, exactly as it is written. The SQL compares the values that clients see. It uses no
 * sort keys, stored units, ranges or indexes. A row matches if the SQL is true.
 */
export function plainFilterSql(condition: Condition, placeholderOf: PlaceholderOf): SQL {
  const inner = (condition: Condition): SQL => plainFilterSql(condition, placeholderOf);
  const term = (operand: Term): SQL =>
    operandSql(operand, placeholderOf, ({ lookup, source, ...field }) =>
      lookup === undefined ? sql`${sourceOf({ source, lookup, ...field })}` : sql`${lookup.value}`,
    );
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const joint = condition.kind === 'and' ? sql` AND ` : sql` OR `;
      return sql`(${sql.join(condition.conditions.map(inner), joint)})`;
    }
    case 'not':
      return sql`(${inner(condition.condition)} IS NOT TRUE)`;
    case 'constant':
      return condition.holds ? sql`true` : sql`false`;
    case 'absent':
      return condition.isNegated
        ? sql`(${term(condition.term)} IS NOT NULL)`
        : sql`(${term(condition.term)} IS NULL)`;
    case 'comparison': {
      const [left, right] = [term(condition.left), term(condition.right)];
      const sign = sql.raw(comparisonOperators[condition.operator].sign);
      return condition.type === 'text'
        ? sql`(${folded(left)} ${sign} ${folded(right)})`
        : sql`(${left} ${sign} ${right})`;
    }
    case 'in': {
      const tested = term(condition.term);
      const values = sql`unnest(${placeholderOf(condition.values)}::${TYPES[condition.type]}[]) AS value`;
      return condition.type === 'text'
        ? sql`EXISTS (SELECT FROM ${values} WHERE ${folded(sql`value`)} = ${folded(tested)})`
        : sql`EXISTS (SELECT FROM ${values} WHERE value = ${tested})`;
    }
    case 'textMatch': {
      const [text, part] = [folded(term(condition.text)), folded(term(condition.part))];
      switch (condition.match) {
        case 'startswith':
          return sql`starts_with(${text}, ${part})`;
        case 'endswith':
          return sql`(right(${text}, length(${part})) = ${part})`;
        case 'contains':
          return sql`(strpos(${text}, ${part}) > 0)`;
      }
      break;
    }
    case 'textRange':
      throw new Error('nobody writes a range of texts');
  }
}
