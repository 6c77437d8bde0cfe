interface SqlParts {
  sqlId: (kind: 'routine' | 'run' | 'event' | 'agent', number: string) => string;
  conversationOf: (number: string) => string;
}

const isOpen = 'n % 1000 = 0';

/** The columns of row number `n` of the tables of routines: ten runs of each routine, twenty steps of each run. */
export function toRoutineColumns({
  sqlId,
  conversationOf,
}: SqlParts): Record<string, Record<string, string>> {
  return {
    routines: {
      id: sqlId('routine', 'n'),
      agent_id: sqlId('agent', 'n'),
      namespace: `'large'`,
      name: `'routine-' || n`,
    },
    routine_versions: {
      routine_id: sqlId('routine', 'n'),
      agent_id: sqlId('agent', 'n'),
      version: '1',
      document: `'{"do": []}'`,
    },
    // One in a thousand has not ended; half of those listen.
    routine_runs: {
      id: sqlId('run', 'n'),
      routine_id: sqlId('routine', '(n - 1) / 10 + 1'),
      version: '1',
      agent_id: sqlId('agent', '(n - 1) / 10 + 1'),
      conversation_id: conversationOf('n'),
      parent_run_id: `CASE WHEN n % 2 = 0 THEN ${sqlId('run', 'n - 1')} END`,
      request_hash: `'hash'`,
      status: `CASE WHEN ${isOpen} THEN 'running' ELSE 'completed' END`,
      listening: 'n % 2000 = 0',
      settled_at: `CASE WHEN ${isOpen} THEN NULL ELSE now() - n * interval '1 second' END`,
      created_at: `now() - interval '1 hour'`,
      swept_at: `CASE WHEN n % 4000 = 0 THEN now() END`,
    },
    routine_steps: {
      run_id: sqlId('run', '(n - 1) / 20 + 1'),
      number: '(n - 1) % 20 + 1',
      step: `jsonb_build_object('number', (n - 1) % 20 + 1)`,
    },
    routine_events: { id: sqlId('event', 'n'), event: `'{}'` },
  };
}
