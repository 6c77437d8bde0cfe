import type { UsageColumns } from './usage-columns.ts';

/** The joins that give calls of models, the rows `e` of `credit_entries`, the tokens of {@link tokensOf}. */
export const joinTokens = `LEFT JOIN usage u ON e.kind = 'model' AND u.turn_id = e.source_id AND e.part = 'model/' || u.iteration
LEFT JOIN compactions k ON e.kind = 'summary' AND k.turn_id = e.source_id
  AND e.part = 'summary/' || k.iteration || '/' || k.number`;

/** An expression: a column of the usage of a call; null for one of no model, and of a turn that was removed. */
export function tokensOf(column: keyof UsageColumns): string {
  return `coalesce(u.${column}, k.${column})`;
}
