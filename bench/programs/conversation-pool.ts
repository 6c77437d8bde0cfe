import type { Database } from '../../src/platform/database/connect-database.ts';
import type { BenchRow } from '../rows.ts';
import type { Seed } from './contract.ts';

type Execution = BenchRow['execution'];

/** The number of conversations that are created in parallel. */
const batchSize = 400;

/** A stock of conversations without turns. */
export interface ConversationPool {
  fill: (execution: Execution) => Promise<void>;
  take: (execution: Execution) => string | undefined;
  /** Makes more and takes one. */
  make: (execution: Execution) => Promise<string>;
}

/** Creates conversations, many at a time, outside of the measured time. */
export function createConversationPool(
  database: Database,
  { workspaceId, agentIds }: Seed,
): ConversationPool {
  const ids: Record<Execution, string[]> = { inspectable: [], direct: [] };

  async function fill(execution: Execution): Promise<void> {
    const missing = batchSize - ids[execution].length;
    if (missing <= 0) return;
    const { rows } = await database.inWorkspace(workspaceId, (trx) =>
      trx.raw<{ rows: { id: string }[] }>(
        `INSERT INTO conversations (id, agent_id)
         SELECT gen_random_uuid(), :agentId FROM generate_series(1, :missing::int) RETURNING id`,
        { agentId: agentIds[execution], missing },
      ),
    );
    ids[execution].push(...rows.map(({ id }) => id));
  }

  return {
    fill,
    take: (execution) => ids[execution].pop(),
    make: async (execution) => {
      await fill(execution);
      const id = ids[execution].pop();
      if (id === undefined) throw new Error('no conversation was made');
      return id;
    },
  };
}
