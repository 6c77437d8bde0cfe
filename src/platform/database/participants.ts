/**
 * An expression: a list of actor references with those of others added, each once.
 * @param column the list
 * @param others a query of the references that are added
 */
export function withParticipants(column: string, others: string): string {
  return `(SELECT coalesce(jsonb_agg(who ORDER BY who), '[]') FROM (
    SELECT jsonb_array_elements(${column}) AS who UNION ${others}) AS participants)`;
}
