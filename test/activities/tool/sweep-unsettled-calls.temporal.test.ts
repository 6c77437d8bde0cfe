import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ToolSettings } from '../../../src/domain/tool.ts';
import { chainAudit } from '../../labs/chain-audit.ts';
import { eventually } from '../../labs/eventually.ts';
import { mcpTool } from '../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';

let lab: TurnLab;
let server: ScriptedServer;

/** The calls that reached the server, by their keys. */
const asked = new Map<string, number>();

/** Takes effect at once, does not answer the first call, and answers every later one with `text`. */
function answersLater(text: string, isError = false) {
  return ({ idempotencyKey = '', signal }: { idempotencyKey?: string | undefined; signal: AbortSignal }) => {
    const times = (asked.get(idempotencyKey) ?? 0) + 1;
    asked.set(idempotencyKey, times);
    if (times > 1) return { ...textResult(text), isError };
    return new Promise<ReturnType<typeof textResult>>((resolve) =>
      signal.addEventListener('abort', () => resolve(textResult('cut off'))),
    );
  };
}

beforeAll(async () => {
  server = await startScriptedServer({
    refund: answersLater('refunded'),
    charge: answersLater('The card is closed.', true),
  });
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
});

afterAll(async () => {
  await lab.close();
  await server.close();
});

/** Stops a turn while its tool is called, so that the outcome of the call is unknown. */
async function leaveUnknown(tool: string, settings: ToolSettings) {
  const scene = await lab.scene({ tools: [mcpTool(tool, settings)] });
  scene.reply({ toolCalls: [{ name: tool, arguments: {} }] });
  const turnId = await scene.say('Do it.');
  const [call] = await eventually(
    () => lab.readLedger(turnId),
    ([first]) => first !== undefined && asked.has(first.key),
  );
  await lab.cancelTurn(turnId);
  const turn = await lab.waitForOutcome(turnId);
  expect(turn.toolCalls).toMatchObject([{ status: 'unknown', attempts: 1 }]);
  const { id = '', key = '' } = call ?? {};
  return { scene, turnId, id, key };
}

/** Lets the turn have ended long ago. */
async function age(turnId: string): Promise<void> {
  await lab.database
    .system('turns')
    .where({ id: turnId })
    .update({ settled_at: lab.database.system.raw(`now() - interval '1 hour'`) as unknown as Date });
}

async function readCall(turnId: string) {
  const { toolCalls } = await lab.readTurn(turnId);
  return toolCalls[0];
}

test('a keyed call is made again with its key once its turn has ended for long enough', async () => {
  const { scene, turnId, id, key } = await leaveUnknown('refund', {
    effect: 'keyed',
    settleAfterMs: 600_000,
  });
  await lab.sweep();
  expect(await readCall(turnId)).toMatchObject({ status: 'unknown', attempts: 1, settling: 'waiting' });
  await age(turnId);
  await Promise.all([lab.sweep(), lab.sweep()]);
  await lab.sweep();

  expect(asked.get(key)).toBe(2);
  expect(await readCall(turnId)).toMatchObject({
    ...{ status: 'succeeded', attempts: 2, result: 'refunded', error: null, settling: 'settled' },
  });
  const events = await lab.readEvents(scene.conversationId);
  expect(events.filter(({ type }) => type === 'tool.settled')).toMatchObject([
    { payload: { toolCallId: id, status: 'succeeded', attempts: 2 } },
  ]);
  await chainAudit(lab.database.system);
  const audit = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
    trx('audit_events').where({ subject_id: id, type: 'tool.executed' }).select('type'),
  );
  expect(audit).toHaveLength(1);
});

test('a call that its tool refuses then stays unknown, and is not made again', async () => {
  const { scene, turnId, key } = await leaveUnknown('charge', { effect: 'keyed', settleAfterMs: 1_000 });
  await age(turnId);
  await lab.sweep();
  await lab.sweep();

  expect(asked.get(key)).toBe(2);
  expect(await readCall(turnId)).toMatchObject({ status: 'unknown', attempts: 2, settling: 'given_up' });
  expect((await lab.readEvents(scene.conversationId)).at(-1)).toMatchObject({
    type: 'tool.settled',
    payload: { status: 'unknown', error: { code: 'TOOL_OUTCOME_UNKNOWN' } },
  });
});

test.each<[string, ToolSettings]>([
  ['without the setting', { effect: 'keyed' }],
  ['of a tool that must not run twice', { settleAfterMs: 1_000 }],
])('a call %s stays unknown', async (_, settings) => {
  const { turnId, key } = await leaveUnknown('refund', settings);
  await age(turnId);
  await lab.sweep();

  expect(asked.get(key)).toBe(1);
  expect(await readCall(turnId)).toMatchObject({ status: 'unknown', attempts: 1, settling: null });
});

test('a call of a deleted conversation is not made again', async () => {
  const { scene, turnId, key } = await leaveUnknown('refund', { effect: 'idempotent', settleAfterMs: 1_000 });
  await age(turnId);
  await lab.database
    .system('conversations')
    .where({ id: scene.conversationId })
    .update({ deleted_at: new Date() });
  await lab.sweep();

  expect(asked.get(key)).toBe(1);
});
