type SqlId = (kind: 'trigger' | 'triggerDelivery', number: string) => string;

/** The columns of row number `n` of the tables of triggers: a hundred deliveries to each; one in a thousand waits. */
export function toTriggerColumns(sqlId: SqlId): Record<string, Record<string, string>> {
  return {
    triggers: {
      ...{ id: sqlId('trigger', 'n'), name: `'Triage'`, provider: `'github'`, events: `'{*}'` },
      ...{ include_bots: 'false', paused: 'false', action: `'{}'`, max_per_minute: '1', created_by: `'{}'` },
    },
    trigger_deliveries: {
      ...{ id: sqlId('triggerDelivery', 'n'), trigger_id: sqlId('trigger', 'n % 2000') },
      ...{ delivery_key: `'id:' || n`, content_hash: `sha256(n::text::bytea)`, action: `'{}'` },
      status: `CASE WHEN n % 1000 = 0 THEN 'accepted' ELSE 'started' END`,
      payload: `CASE WHEN n % 1000 = 1 THEN '{}'::jsonb END`,
      next_attempt_at: `now() - interval '1 hour' + n % 2 * interval '1 day'`,
      received_at: `now() - n * interval '1 minute'`,
    },
  };
}
