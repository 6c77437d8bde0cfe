import type { Knex } from 'knex';
import { newId } from '../../src/platform/lib/ids.ts';
import { compactRows } from './compact-rows.ts';
import { insertFile } from './file-rows.ts';
import { insertKnowledge, insertTools } from './tool-rows.ts';
import { insertCredits } from './credit-rows.ts';
import { insertSession } from './session-rows.ts';
import { insertSkill } from './skill-rows.ts';
import {
  createAnswer,
  createToolCall,
  insertGrant,
  insertImportedProvider,
  insertMessages,
  insertPendingAction,
  insertReplayRun,
  insertResource,
  insertRoutineRun,
  insertSchedule,
  insertStuckWorkflow,
  insertSwarm,
  insertTrigger,
  insertWebhook,
  type RowRef,
  type TurnRows,
} from './turn-rows.ts';

/** Adds an audit event that waits for its place in the chain. */
export async function recordEvent(trx: Knex): Promise<void> {
  await trx('audit_pending').insert({ id: newId(), type: 'test.written', payload: {} });
}

/** Leaves at least one row of a workspace in each table. */
export async function fillWorkspace(rows: TurnRows, place: RowRef): Promise<void> {
  const { turn } = await rows.submit(place);
  await rows.storeAnswer(place, createAnswer(turn.id, { toolCalls: [createToolCall(0)] }));
  await compactRows(rows.database, place.workspaceId, { turnId: turn.id, iteration: 2 });
  await rows.database.inWorkspace(place.workspaceId, async (trx) => {
    await insertSession(trx);
    await recordEvent(trx);
    await trx('stream_chunks').insert({
      conversation_id: place.conversationId,
      turn_id: turn.id,
      iteration: 1,
      attempt: 1,
      text: 'x',
    });
    await trx('turn_call_counts').insert({ turn_id: turn.id, key: 'search', calls: 1 });
    await insertPendingAction(trx);
    await insertGrant(trx);
    await insertCredits(trx);
    await insertTools(trx, place);
    await insertKnowledge(trx);
    await insertFile(trx, turn.id);
    await insertSchedule(trx);
    await insertStuckWorkflow(trx);
    await insertImportedProvider(trx);
    await insertTrigger(trx);
    await insertWebhook(trx);
    await insertResource(trx);
    await insertSkill(trx);
    await insertMessages(trx);
    await insertReplayRun(trx, place.conversationId);
    await insertRoutineRun(trx, place);
    await insertSwarm(trx);
  });
}
