/**
 * A condition: a snapshot does not show the transaction of a note. It is one of index ranges, unlike `pg_visible_in_snapshot`,
 * so that a transaction which runs for hours costs readers nothing.
 */
export function isAfter(snapshot: string): string {
  return `(xid >= pg_snapshot_xmax(${snapshot}) OR xid = ANY (ARRAY(SELECT pg_snapshot_xip(${snapshot}))))`;
}
