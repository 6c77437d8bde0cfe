import { expect, test } from 'vitest';
import { createStoredResultRepository } from '../../../../src/modules/turns/calls/stored-result-repository.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { tables } from '../../../../src/main/modules.ts';
import { createRecordRemoval } from '../../../../src/modules/retention/create-record-removal.ts';
import { forkConversation } from '../../../../src/modules/turns/forks/fork-conversation.ts';
import { coreTool } from '../../../labs/core-tool.ts';
import { eventually } from '../../../labs/eventually.ts';
import { mcpTool } from '../../../labs/lab-tools.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { startTurnLab } from '../../../labs/turn-lab.ts';
import { createLabScene, type LabScene, type LabSceneOptions } from '../../../labs/turn-lab-scene.ts';
import { startScriptedServer, textResult } from '../../../servers/mcp-servers.ts';

/** A receipt of 50,000 characters, which is cut for the model that has asked for it. */
const receipt = Array.from(
  { length: 2_500 },
  (_, index) => `position ${String(index).padStart(11, '0')}`,
).join('');

const lab = openForTests(async () => {
  let payments = 0;
  const server = await startScriptedServer({
    pay: () => {
      payments += 1;
      return textResult(receipt);
    },
  });
  const opened = await startTurnLab({ mcpServers: { lab: { type: 'http', url: server.url } } });
  const close = async () => {
    await opened.close();
    await server.close();
  };
  return { ...opened, countPayments: () => payments, close };
});

const reader = coreTool('read_tool_result');

/** There is room for the receipt as the model gets it, and for little besides. */
const options: LabSceneOptions = {
  execution: 'direct',
  tools: [mcpTool('pay'), reader],
  compactionThreshold: 10_000,
};

/** A server that reports no usage teaches nothing about the tokens of a byte. */
const usage = null;

const callPay = { toolCalls: [{ name: 'pay', arguments: {} }], usage };

/** Plays a turn that pays, and returns the id of the call. */
async function pay(scene: LabScene): Promise<string> {
  scene.reply(callPay, { text: 'Paid.', usage });
  const { toolCalls } = await lab.waitForOutcome(await scene.say('Pay.'));
  return toolCalls[0]?.id ?? '';
}

/** Plays a turn whose model reads results, and returns how those calls have ended. */
async function read(scene: LabScene, calls: object[]) {
  const toolCalls = calls.map((asked) => ({ name: 'read_tool_result', arguments: { ...asked } }));
  scene.reply({ toolCalls, usage }, { text: 'Read.', usage });
  const turn = await lab.waitForOutcome(await scene.say('Now this'.padEnd(8_000, '.')));
  expect(turn.outcome).toBe('completed');
  return turn;
}

/** Plays a turn that pays in another workspace, and returns the id of the call. */
async function payElsewhere(): Promise<string> {
  const workspaceId = newId();
  await lab.database.system('workspaces').insert({ id: workspaceId, name: 'Other' });
  const scene = await createLabScene({ ...lab, workspaceId }, options);
  scene.reply(callPay, { text: 'Paid.', usage });
  await scene.say('Pay.');
  const calls = await eventually(
    () => lab.database.system('tool_calls').where({ workspace_id: workspaceId, status: 'succeeded' }),
    ({ length }) => length === 1,
  );
  return (calls[0] as { id: string }).id;
}

function findResult(turnId: string, callId: string) {
  return lab.database.transact(lab.workspaceId, (query) =>
    createStoredResultRepository(query).findOfConversation(turnId, callId),
  );
}

test('a result that became a reference is read again, page by page, and the tool that gave it is not repeated', async () => {
  const scene = await lab.scene(options);
  const callId = await pay(scene);
  const other = await pay(await lab.scene(options));
  const elsewhere = await payElsewhere();
  const payments = lab.countPayments();
  const turn = await read(scene, [
    { callId, offset: 40_000, limit: 5_000 },
    { callId, offset: 49_000 },
    { callId, query: 'POSITION 00000002499' },
    { callId, offset: 50_000 },
    { callId: other },
    { callId: elsewhere },
    { callId: 'the last one' },
  ]);

  const [paid, cut, told] = scene
    .requests()
    .map(({ body }) => body.messages.find(({ role }) => role === 'tool')?.content);
  expect(paid).toBeUndefined();
  expect(cut).toMatch(
    new RegExp(`The rest is stored with tool call ${callId}\\. Read it with read_tool_result\\.]$`),
  );
  expect(told).toBe(
    '[The result of pay, 50000 bytes, is left out here, since the conversation has become long. It is stored with tool ' +
      `call ${callId}. Read it with read_tool_result if you need it; do not repeat the call for it.]`,
  );
  expect(lab.countPayments()).toBe(payments);
  const [before = [], after] = scene
    .requests()
    .slice(2)
    .map(({ body }) => body.messages);
  expect(after?.slice(0, before.length)).toEqual(before);
  const head = '{"tool":"pay","characters":50000,';
  const [page, last, places, ...refused] = turn.toolCalls;
  expect(page?.result).toBe(`${head}"offset":40000,"nextOffset":45000}\n${receipt.slice(40_000, 45_000)}`);
  expect(last?.result).toBe(`${head}"offset":49000,"nextOffset":null}\n${receipt.slice(49_000)}`);
  expect(JSON.parse(places?.result ?? '')).toEqual({
    ...{ tool: 'pay', characters: 50_000, nextOffset: null },
    places: [{ offset: 49_830, text: receipt.slice(49_830) }],
  });
  expect(refused.map(({ error }) => `${error?.code}: ${error?.message}`)).toEqual([
    'INVALID_TOOL_ARGUMENTS: The arguments of read_tool_result are not valid: offset is beyond the end: the result has 50000 characters.',
    ...[other, elsewhere, 'the last one'].map(
      (id) =>
        `NOT_FOUND: This conversation has no tool call ${id}, or no longer: old results are removed after the time that ` +
        'the workspace keeps them.',
    ),
  ]);
});

test('a fork sees the same as its parent, word for word, and reads what its references name', async () => {
  const scene = await lab.scene(options);
  const callId = await pay(scene);
  const asked = { name: 'read_tool_result', arguments: { callId } };
  const { id: turnId } = await read(scene, [asked.arguments]);
  scene.reply({ toolCalls: [asked], usage }, { text: 'Read.', usage });
  const request = {
    parentId: scene.conversationId,
    input: { turnId, tools: 'recorded' as const, run: true },
  };
  const { turn } = await forkConversation({ ...lab.turns, notifier: lab.notifier }, lab, request);
  const forked = await lab.waitForOutcome(turn?.id ?? '');

  expect(forked.toolCalls).toMatchObject([{ status: 'succeeded', answeredBy: 'exact' }]);
  const seen = scene.requests().map(({ body }) => body.messages);
  expect(seen.slice(4)).toEqual(seen.slice(2, 4));
  const reference = `stored with tool call ${callId}. Read it`;
  expect(seen[4]?.some(({ content }) => content?.includes(reference))).toBe(true);
  expect(await findResult(forked.id, callId)).toMatchObject({ name: 'pay', text: receipt });
});

test('a result whose turn was removed is not found', async () => {
  const scene = await lab.scene(options);
  const callId = await pay(scene);
  const { id: turnId } = await read(scene, [{ callId, limit: 100 }]);
  expect(await findResult(turnId, callId)).toMatchObject({ name: 'pay', text: receipt, isCut: false });
  const old = new Date('2020-01-01');
  await lab.database
    .system('turns')
    .where({ conversation_id: scene.conversationId, ordinal: 1 })
    .update({ created_at: old, settled_at: old });
  const logger = { warn: () => undefined };
  const removal = { database: lab.database, tables, logger, retentionDays: 30 };
  await createRecordRemoval(removal)(() => true);

  const { toolCalls } = await read(scene, [{ callId }]);
  expect(toolCalls).toMatchObject([{ status: 'failed', error: { code: 'NOT_FOUND' } }]);
});
