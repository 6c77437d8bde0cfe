import { describe, expect, test } from 'vitest';
import {
  createChildTurnRepository,
  type ChildTurnRepository,
} from '../../../../src/modules/turns/calls/child-turn-repository.ts';
import type { NewChildTurn } from '../../../../src/domain/child-turn.ts';
import { createToolCallRepository } from '../../../../src/modules/turns/calls/tool-call-repository.ts';
import { createTurnAnswerRepository } from '../../../../src/modules/turns/turn-answer-repository.ts';
import { createTurnRepository, type TurnRepository } from '../../../../src/modules/turns/turn-repository.ts';
import { newId, toChildIds } from '../../../../src/platform/lib/ids.ts';
import { eventually } from '../../../labs/eventually.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { createAnswer, createToolCall, noUsage, openTurnRows, type RowRef } from '../../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

function inChildren<Result>(place: RowRef, run: (children: ChildTurnRepository) => Promise<Result>) {
  return rows.database.transact(place.workspaceId, (query) => run(createChildTurnRepository(query)));
}

function inTurns<Result>({ workspaceId }: RowRef, run: (turns: TurnRepository) => Promise<Result>) {
  return rows.database.transact(workspaceId, (query) => run(createTurnRepository(query)));
}

/** A turn that has claimed a call of another agent, and the child turn that answers the call. */
async function startCalling() {
  const place = await rows.createConversation();
  const { turn } = await rows.submit(place);
  const call = createToolCall(0, 'unsafe');
  await rows.storeAnswer(place, createAnswer(turn.id, { toolCalls: [call], finishReason: 'tool_calls' }));
  const position = { turnId: turn.id, iteration: 1, index: 0 };
  await rows.database.transact(place.workspaceId, (query) => createToolCallRepository(query).claim(position));
  const agent = await inChildren(place, (children) => children.findCalledAgent(turn.agentId));
  if (!agent) throw new Error('the agent should be there');
  const child: NewChildTurn = {
    ...toChildIds(call.key),
    parentTurnId: turn.id,
    toolCallId: call.id,
    agent,
    title: 'Called by Plain',
    message: 'Help me.',
    timeoutMs: 30_000,
    maxIterations: 4,
    maxTokens: 700,
    inheritsRules: false,
  };
  return { place, turn, call, position, child };
}

/** Finds the calling turn and stores its child in one transaction, as `beginToolCall` does. */
function callAgent(place: RowRef, child: NewChildTurn) {
  return inChildren(place, async (children) => {
    const caller = await children.findCallingTurn(child.parentTurnId);
    return caller && children.createChildTurn(child);
  });
}

async function waitForLock(): Promise<void> {
  const countWaiting = async () => {
    const { rows: found } = await rows.database.system.raw<{ rows: { count: number }[] }>(
      'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0',
    );
    return found[0]?.count ?? 0;
  };
  await eventually(countWaiting, (count) => count > 0);
}

const failed = {
  outcome: 'failed' as const,
  answer: 'It failed.',
  error: null,
  event: {
    type: 'turn.settled' as const,
    payload: { outcome: 'failed' as const, answer: 'It failed.', error: null, iterations: 1, usage: noUsage },
  },
};

describe('a child turn', () => {
  test('is stored once with its share of the limits, and linked to its call', async () => {
    const { place, turn, call, position, child } = await startCalling();
    const first = await inChildren(place, (children) => children.createChildTurn(child));
    const again = await inChildren(place, (children) =>
      children.createChildTurn({ ...child, message: 'Something else.', timeoutMs: 1 }),
    );

    expect(first).toMatchObject({
      turnId: child.turnId,
      conversationId: child.conversationId,
      parentTurnId: turn.id,
      messagePreview: 'Help me.',
      limits: { turnTimeoutMs: 30_000, maxIterations: 4 },
    });
    expect(again).toEqual(first);
    expect(await inChildren(place, (children) => children.findCall(position))).toMatchObject({
      id: call.id,
      status: 'started',
      child_turn_id: child.turnId,
      child_workflow_id: `turn-${child.turnId}`,
    });
    expect(await inTurns(place, (turns) => turns.getTurn(child.turnId))).toMatchObject({
      parentTurnId: turn.id,
      status: 'running',
    });
    expect(await inChildren(place, (children) => children.findCallingTurn(child.turnId))).toMatchObject({
      lineage: [turn.agentId],
      maxIterations: 4,
      tokensLeft: 700,
      maxAgentDepth: 3,
    });
  });

  test('is not stored for a settled turn', async () => {
    const { place, turn, child } = await startCalling();
    await rows.database.system('turns').where({ id: turn.id }).update({ status: 'failed' });

    expect(await inChildren(place, (children) => children.createChildTurn(child))).toBeNull();
  });

  test('is not stored when its parent turn is settled at the same moment', async () => {
    const { place, turn, child } = await startCalling();
    const calling = Promise.withResolvers<Promise<unknown>>();
    await rows.database.transact(place.workspaceId, async (query) => {
      const answers = createTurnAnswerRepository(query);
      await answers.lockTurn(turn.id);
      const created = callAgent(place, child);
      calling.resolve(created);
      await Promise.race([created, waitForLock()]);
      await answers.settleTurn({ ...failed, turnId: turn.id });
    });

    expect(await await calling.promise).toBeNull();
    await expect(inTurns(place, (turns) => turns.getTurn(child.turnId))).rejects.toThrow('There is no turn');
  });

  test('is not stored for a call that has ended', async () => {
    const { place, call, child } = await startCalling();
    await rows.database.system('tool_calls').where({ id: call.id }).update({ status: 'failed' });

    expect(await callAgent(place, child)).toBeNull();
    await expect(inTurns(place, (turns) => turns.getTurn(child.turnId))).rejects.toThrow('There is no turn');
  });

  test('starts with the cancel request that its parent turn already has', async () => {
    const { place, turn, child } = await startCalling();
    await inTurns(place, (turns) => turns.requestCancel(turn.id));
    await inChildren(place, (children) => children.createChildTurn(child));
    const row = await rows.database
      .system('turns')
      .where({ id: child.turnId })
      .first<{ cancel_requested_at: Date | null }>();

    expect(row.cancel_requested_at).not.toBeNull();
  });

  test('can be asked to stop with its parent turn, and on its own', async () => {
    const { place, turn, child } = await startCalling();
    await inChildren(place, (children) => children.createChildTurn(child));
    const { stopping } = await inTurns(place, (turns) => turns.requestCancel(turn.id));

    expect(stopping.toSorted()).toEqual([turn.id, child.turnId].toSorted());
    expect(await inTurns(place, (turns) => turns.requestCancelOfTree({ parentId: turn.id }))).toEqual([
      child.turnId,
    ]);
    expect(await inTurns(place, (turns) => turns.requestCancelOfTree({ id: newId() }))).toEqual([]);
  });
});

test('the workflow that an open call waits for is listed until the call has ended', async () => {
  const { place, turn, call } = await startCalling();
  const list = () => inChildren(place, (children) => children.listWaitedFor(turn.id));

  expect(await list()).toEqual([]);
  await inChildren(place, (children) =>
    children.linkWorkflow({ toolCallId: call.id, workflowId: 'tool-1', runId: 'run-1' }),
  );
  expect(await list()).toEqual(['tool-1']);
  await rows.database.system('tool_calls').where({ id: call.id }).update({ status: 'succeeded' });
  expect(await list()).toEqual([]);
});
