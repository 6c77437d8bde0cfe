import type { Knex } from 'knex';

/** Removes records of one workspace that were made before a time, a limited number in each call. */
export function createRecordRemovalRepository(trx: Knex) {
  return {
    /** Removes the counts of tool calls of days before a time. */
    removeCounts: (before: Date, limit: number): Promise<number> => {
      const some = trx('tool_call_counts')
        .whereRaw(`day < (?::timestamptz AT TIME ZONE 'UTC')::date`, [before])
        .orderBy('day')
        .limit(limit)
        .select('agent_id', 'tool', 'day');
      return trx('tool_call_counts').whereIn(['agent_id', 'tool', 'day'], some).delete();
    },

    /** Removes remembered approvals that ended before a time. */
    removeGrants: (before: Date, limit: number): Promise<number> => removeEndedGrants(trx, before, limit),

    /** Removes the costs of calls that were made before a time. What budgets have counted of them stays counted. */
    removeCredits: (before: Date, limit: number): Promise<number> => {
      const some = trx('credit_entries')
        .where('at', '<', before)
        .where({ counted: true })
        .orderBy('at')
        .limit(limit)
        .select('source_id', 'part');
      return trx('credit_entries').whereIn(['source_id', 'part'], some).delete();
    },

    /** Removes deliveries to webhooks that were stored before a time and have ended. */
    removeDeliveries: (before: Date, limit: number): Promise<number> => {
      const some = trx('webhook_deliveries')
        .where('created_at', '<', before)
        .whereNot({ status: 'pending' })
        .orderBy('created_at')
        .limit(limit)
        .select('id');
      return trx('webhook_deliveries').whereIn('id', some).delete();
    },

    /** Removes deliveries to triggers that came before a time and have ended. */
    removeTriggerDeliveries: (before: Date, limit: number): Promise<number> => {
      const some = trx('trigger_deliveries')
        .where('received_at', '<', before)
        .whereNot({ status: 'accepted' })
        .orderBy('received_at')
        .limit(limit)
        .select('id');
      return trx('trigger_deliveries').whereIn('id', some).delete();
    },

    /** Removes messages of agents that were sent before a time, and what is kept about them. */
    removeMessages: async (before: Date, limit: number): Promise<number> => {
      let left = limit;
      for (const table of ['inbox_messages', 'topic_messages', 'sent_messages']) {
        const some = trx(table)
          .where('created_at', '<', before)
          .orderBy('created_at')
          .limit(left)
          .select('id');
        left -= await trx(table).whereIn('id', some).delete();
      }
      return limit - left;
    },

    /** Removes a part of the replays that ended before a time: their runs, then their cases, then themselves. */
    removeReplays: (before: Date, limit: number): Promise<number> => removeReplays(trx, before, limit),

    /** Removes a part of the runs of routines that ended before a time: their steps, then themselves. */
    removeRoutineRuns: (before: Date, limit: number): Promise<number> =>
      removeRoutineRuns(trx, before, limit),

    /** Removes swarms that ended before a time, with their shared state. */
    removeSwarms: (before: Date, limit: number): Promise<number> => {
      const some = trx('swarms').where('settled_at', '<', before).orderBy('id').limit(limit).select('id');
      return trx('swarms').whereIn('id', some).delete();
    },

    /** Removes files that were created before a time and that no turn, message or document has. */
    removeFiles: (before: Date, limit: number): Promise<number> => removeFiles(trx, before, limit),
  };
}

function removeEndedGrants(trx: Knex, before: Date, limit: number): Promise<number> {
  const some = trx('approval_grants')
    .where((grant) => void grant.where('until', '<', before).orWhere('revoked_at', '<', before))
    .orderBy('id')
    .limit(limit)
    .select('id');
  return trx('approval_grants').whereIn('id', some).delete();
}

async function removeReplays(trx: Knex, before: Date, limit: number): Promise<number> {
  const old = () => trx('replays').where('settled_at', '<', before).select('id');
  let left = limit;
  for (const [table, ...key] of [
    ['replay_runs', 'replay_id', 'position', 'lane', 'repeat'],
    ['replay_cases', 'replay_id', 'position'],
  ] as const) {
    const some = trx(table).whereIn('replay_id', old()).limit(left).select(key);
    left -= await trx(table)
      .whereIn([...key], some)
      .delete();
    if (left === 0) return limit;
  }
  return limit - left + (await trx('replays').whereIn('id', old().limit(left)).delete());
}

async function removeRoutineRuns(trx: Knex, before: Date, limit: number): Promise<number> {
  const old = () =>
    trx('routine_runs').where('settled_at', '<', before).orderBy('settled_at').limit(limit).select('id');
  const some = trx('routine_steps').whereIn('run_id', old()).limit(limit).select('run_id', 'number');
  const steps = await trx('routine_steps').whereIn(['run_id', 'number'], some).delete();
  if (steps === limit) return limit;
  const runs = old().limit(limit - steps);
  return steps + (await trx('routine_runs').whereIn('id', runs).delete());
}

async function removeFiles(trx: Knex, before: Date, limit: number): Promise<number> {
  const some = trx('files')
    .whereNull('turn_id')
    .where('created_at', '<', before)
    .whereNotExists(trx('documents').whereRaw('file_id = files.id'))
    .whereNotExists(trx('file_uses').whereRaw('file_id = files.id'))
    .orderBy('id')
    .limit(limit)
    // A message that is stored at this moment may use the file.
    .forUpdate()
    .skipLocked()
    .select('id');
  return trx('files').whereIn('id', some).delete();
}
