import { afterAll, beforeAll, expect, test } from 'vitest';
import { callModelOnce } from '../../../src/modules/credits/call-model-once.ts';
import { createRoutineCallRepository } from '../../../src/modules/routines/calls/routine-call-repository.ts';
import type { CallLanguageModel, ModelCall } from '../../../src/domain/model.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { noUsage, openTurnRows, type RowRef, type TurnRows } from '../../labs/turn-rows.ts';

let rows: TurnRows;
let place: RowRef;

beforeAll(async () => {
  rows = await openTurnRows();
  place = await rows.createConversation();
  await rows.database.inWorkspace(place.workspaceId, async (trx) =>
    trx('workspace_prices').insert({ prices: { demo: { input: 1, output: 0 } } }),
  );
});

afterAll(() => rows.close());

/** A call that an attempt has claimed. */
async function claimCall() {
  const turnId = newId();
  const { conversationId } = await rows.createConversation({}, place.workspaceId);
  await rows.submit({ ...place, conversationId }, { turnId });
  const toolCallId = newId();
  const call = {
    ...{ id: toolCallId, index: 0, key: newId(), modelCallId: 'step_3', name: 'model', tool: null },
    ...{ effect: 'idempotent' as const, arguments: {}, invalidArguments: null, argumentsHash: '' },
    ...{ connector: null, target: null, refusal: null },
  };
  await rows.database.transact(place.workspaceId, (query) =>
    createRoutineCallRepository(query).recordCall({ turnId, step: 3, call }),
  );
  await rows.database.system('tool_calls').where({ id: toolCallId }).update({ status: 'started' });
  return { workspaceId: place.workspaceId, turnId, toolCallId, call: modelCall };
}

const modelCall: ModelCall = {
  ...{ model: 'demo', instructions: '', tools: [], messages: [{ role: 'user', text: 'Hello' }] },
  ...{ idempotencyKey: 'key', signal: new AbortController().signal, onTextDelta: () => undefined },
};

function createModel(wait: () => Promise<undefined> = () => Promise.resolve(undefined)) {
  const calls: ModelCall[] = [];
  const callLanguageModel: CallLanguageModel = async (call) => {
    calls.push(call);
    const text = `answer ${calls.length}`;
    await wait();
    const usage = { ...noUsage, inputTokens: 7, outputTokens: 2 };
    return { text, reasoning: '', toolCalls: [], finishReason: 'stop', usage, answeredBy: 'demo' };
  };
  return { calls, callLanguageModel };
}

/** The entries of a turn in the ledger of credits, its usage, and its own sums. */
async function readCosts(turnId: string): Promise<unknown> {
  const { system } = rows.database;
  const of = { source_id: turnId };
  return {
    entries: await system('credit_entries').where(of).select<object[]>('part', 'status', 'credits'),
    usage: await system('usage').where({ turn_id: turnId }).select<object[]>('iteration', 'input_tokens'),
    turn: await system('turns').where({ id: turnId }).first<object>('credits', 'input_tokens'),
  };
}

const once = {
  entries: [{ part: 'model/3', status: 'settled', credits: 7 }],
  usage: [{ iteration: 3, input_tokens: 7 }],
  turn: { credits: 7, input_tokens: 7 },
};

test('an attempt that finds an answer returns it, and pays for none', async () => {
  const { calls, callLanguageModel } = createModel();
  const asked = await claimCall();
  const dependencies = { database: rows.database, callLanguageModel };
  expect(await callModelOnce(dependencies, asked)).toBe('answer 1');
  expect(await callModelOnce(dependencies, asked)).toBe('answer 1');
  expect(calls).toHaveLength(1);
  expect(await readCosts(asked.turnId)).toEqual(once);
});

test('two attempts at the same time cost what one of them does', async () => {
  const both = Promise.withResolvers<undefined>();
  const { calls, callLanguageModel } = createModel(() => {
    if (calls.length === 2) both.resolve(undefined);
    return both.promise;
  });
  const asked = await claimCall();
  const dependencies = { database: rows.database, callLanguageModel };
  await Promise.all([callModelOnce(dependencies, asked), callModelOnce(dependencies, asked)]);
  expect(calls).toHaveLength(2);
  expect(await readCosts(asked.turnId)).toEqual(once);
});

test('a budget of a person counts the calls of the same name in another case and form', async () => {
  const { calls, callLanguageModel } = createModel();
  const dependencies = { database: rows.database, callLanguageModel };
  const asked = await claimCall();
  const { system } = rows.database;
  const startedBy = JSON.stringify({ apiKeyId: null, actingFor: 'ＡＮＮ' });
  await system('turns').where({ id: asked.turnId }).update({ started_by: startedBy });
  const id = newId();
  await rows.database.inWorkspace(place.workspaceId, (trx) =>
    trx('budgets').insert({ id, scope: 'user', subject: 'ann', period: 'total', credits: '0' }),
  );
  await expect(callModelOnce(dependencies, asked)).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  expect(calls).toHaveLength(0);
  await system('budgets').where({ id }).delete();
});
