/** An expression: a `timestamptz` as ISO 8601 in UTC, for JSON that a statement writes. */
export function isoTime(column: string): string {
  return `((to_json(${column} AT TIME ZONE 'UTC') #>> '{}') || 'Z')`;
}
