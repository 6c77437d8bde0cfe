import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAgentRepository } from '../../../src/modules/agents/agent-repository.ts';
import { createActionRepository } from '../../../src/modules/actions/action-repository.ts';
import { createAuditLog } from '../../../src/platform/outbox/audit-log.ts';
import { createGrantRepository } from '../../../src/modules/actions/grant-repository.ts';
import { revokeGrant } from '../../../src/modules/actions/revoke-grant.ts';
import type { PendingAction } from '../../../src/domain/action.ts';
import { executionModes } from '../../../src/domain/agent.ts';
import type { Tool, ToolSettings } from '../../../src/domain/tool.ts';
import { agentTool } from '../../labs/child-tools.ts';
import { eventually } from '../../labs/eventually.ts';
import { mcpTool } from '../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import type { LabScene } from '../../labs/turn-lab-scene.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';

const schema = { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] };
const payTool = (settings: ToolSettings = { approval: 'ask' }) => mcpTool('pay', settings, schema);
const pay = (amount: number) => ({ toolCalls: [{ name: 'pay', arguments: { amount } }] });

let lab: TurnLab;
let server: ScriptedServer;
const paid: unknown[] = [];

beforeAll(async () => {
  server = await startScriptedServer({
    pay: ({ arguments: input }) => {
      paid.push(input['amount']);
      return textResult('paid');
    },
  });
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
});
afterEach(async () => {
  paid.length = 0;
  await revokeAll();
  const { items } = await lab.database.pipelined(lab.workspaceId, (query) =>
    createActionRepository(query).list({ limit: 100, status: 'pending' }),
  );
  for (const { rootTurnId } of items) await lab.cancelTurn(rootTurnId);
  for (const { rootTurnId } of items) await lab.waitForOutcome(rootTurnId);
});
afterAll(async () => {
  await lab.close();
  await server.close();
});

function remember(parts: object = {}) {
  const until = new Date(Date.now() + 600_000).toISOString();
  return {
    decision: 'approve' as const,
    remember: { tool: 'pay', pins: {}, scope: 'conversation' as const, until, ...parts },
  };
}

/** Lets a call of a new turn wait, and remembers its approval. */
async function approveAndRemember(scene: LabScene, amount: number, parts: object = {}) {
  scene.reply(pay(amount), { text: 'Paid.' });
  const turnId = await scene.say('Pay.');
  const [action] = await lab.waitForActions(turnId);
  await lab.decide(action?.id ?? '', remember(parts));
  await lab.waitForOutcome(turnId);
  const [grant] = await lab.database.pipelined(lab.workspaceId, async (query) => {
    const { items } = await createGrantRepository(query).list({ limit: 1, actionId: action?.id });
    return items;
  });
  return { grantId: grant?.id ?? '', turnId };
}

function payAgain(scene: LabScene, amount: number): Promise<string> {
  scene.reply(pay(amount), { text: 'Paid again.' });
  return scene.say('Pay again.');
}

/** Starts a turn whose call waits, and returns its action. */
async function askAgain(scene: LabScene, amount: number): Promise<PendingAction | undefined> {
  scene.reply(pay(amount));
  const [action] = await lab.waitForActions(await scene.say('Pay again.'));
  return action;
}

describe.each(executionModes)('in a turn in %s execution', (execution) => {
  test('a call that a remembered approval fits runs without asking, and says by which', async () => {
    const scene = await lab.scene({ execution, tools: [payTool()] });
    const { grantId } = await approveAndRemember(scene, 5, { pins: { amount: 5 } });
    const turn = await lab.waitForOutcome(await payAgain(scene, 5));
    const asked = await askAgain(scene, 6);

    expect(paid).toEqual([5, 5]);
    expect(turn.toolCalls).toMatchObject([
      { status: 'succeeded', attempts: 1, approval: { status: 'approved', decidedBy: { grantId } } },
    ]);
    expect(asked).toMatchObject({ arguments: { amount: 6 }, canRemember: true });
    const events = await lab.readEvents(scene.conversationId);
    const types = events.filter(({ turnId }) => turnId === turn.id).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('action.'))).toEqual(['action.granted']);
    expect(events.find(({ type }) => type === 'action.granted')?.payload).toMatchObject({
      ...{ name: 'pay', arguments: { amount: 5 }, decidedBy: { grantId } },
    });
    const filter = { type: 'approval_grant.used', subjectId: grantId, limit: 10 };
    const used = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
      createAuditLog(trx).list(lab.workspaceId, filter),
    );
    expect(used).toMatchObject([{ payload: { tool_call_id: turn.toolCalls[0]?.id, tool_name: 'pay' } }]);
  });

  test('calls that wait already are released, and each runs once', async () => {
    const scenes = await Promise.all([1, 2, 3, 4].map(() => lab.scene({ execution, tools: [payTool()] })));
    const turnIds = await Promise.all(scenes.map((scene, index) => payAgain(scene, index + 1)));
    const actions = (await Promise.all(turnIds.map((id) => lab.waitForActions(id)))).flat();
    await lab.decide(actions[0]?.id ?? '', remember({ scope: 'workspace' }));
    const turns = await Promise.all(turnIds.map((id) => lab.waitForOutcome(id)));

    expect(turns.map(({ outcome }) => outcome)).toEqual(turns.map(() => 'completed'));
    expect(paid.toSorted()).toEqual([1, 2, 3, 4]);
  });
});

async function revokeAll(): Promise<void> {
  const everyone = { workspaceId: lab.workspaceId, apiKeyId: null, actingFor: null };
  const { items } = await lab.database.pipelined(lab.workspaceId, (query) =>
    createGrantRepository(query).list({ limit: 100, active: true }),
  );
  for (const { id } of items) await revokeGrant(lab, everyone, id);
}

test('an approval does not hold elsewhere, nor after it was revoked', async () => {
  const scene = await lab.scene({ tools: [payTool()] });
  const other = await lab.scene({ tools: [payTool()] });
  const { grantId } = await approveAndRemember(scene, 5);
  expect(await askAgain(other, 5)).toMatchObject({ status: 'pending' });
  await revokeGrant(lab, { workspaceId: lab.workspaceId, apiKeyId: null, actingFor: null }, grantId);
  expect(await askAgain(scene, 5)).toMatchObject({ status: 'pending' });
  expect(paid).toEqual([5]);
});

async function changeTool(scene: LabScene, change: (tool: Tool) => Tool): Promise<void> {
  await lab.database.inWorkspace(lab.workspaceId, (trx) =>
    createAgentRepository(trx).reviseAgent(scene.agent.id, ({ tools }) => ({ tools: tools.map(change) })),
  );
}

test('a tool that has changed, or that always asks now, does not inherit an approval', async () => {
  const changed = await lab.scene({ tools: [payTool()] });
  await approveAndRemember(changed, 5);
  await changeTool(changed, (tool) => ({ ...tool, description: 'Pays, and tells everybody.' }));
  expect(await askAgain(changed, 5)).toMatchObject({ status: 'pending' });

  const strict = await lab.scene({ tools: [payTool()] });
  await approveAndRemember(strict, 5);
  await changeTool(strict, (tool) => ({ ...tool, settings: { approval: 'always_ask' } }));
  expect(await askAgain(strict, 5)).toMatchObject({ canRemember: false });
});

test('a call asks again when the definition that its tool is pinned to is another one', async () => {
  const scene = await lab.scene({ tools: [payTool()] });
  const [tool] = scene.agent.tools;
  const row = { agent_id: scene.agent.id, tool_id: tool?.id, definition: {} };
  const pins = (hash: string) =>
    lab.database.inWorkspace(lab.workspaceId, async (trx) => {
      await trx('tool_pins')
        .insert({ ...row, hash })
        .onConflict(['agent_id', 'tool_id'])
        .merge();
    });
  await pins('one');
  await approveAndRemember(scene, 5);
  await pins('other');
  expect(await askAgain(scene, 5)).toMatchObject({ status: 'pending' });
});

test('an approval that is remembered for a conversation holds for the agents that are called in it', async () => {
  const helper = await lab.scene({ tools: [payTool()] });
  const top = await lab.scene({ tools: [agentTool('helper', helper.agent.id)] });
  const delegate = { toolCalls: [{ name: 'helper', arguments: { message: 'Pay five.' } }] };
  top.reply(delegate, { text: 'Paid.' }, delegate, { text: 'Paid again.' });
  helper.reply(pay(5), { text: 'Paid.' }, pay(5), { text: 'Paid.' });
  const first = await top.say('Pay.');
  const [action] = await lab.waitForActions(first);
  await lab.decide(action?.id ?? '', remember());
  await lab.waitForOutcome(first);
  const again = await lab.waitForOutcome(await top.say('Again.'));

  expect(again.answer).toBe('Paid again.');
  expect(paid).toEqual([5, 5]);
});

test('a decision through Temporal may be remembered too', async () => {
  const scene = await lab.scene({ tools: [payTool()] });
  scene.reply(pay(5), { text: 'Paid.' });
  const turnId = await scene.say('Pay.');
  const [action] = await lab.waitForActions(turnId);
  const workflow = lab.client.workflow.getHandle(`turn-${turnId}`);
  await workflow.executeUpdate('decideAction', {
    args: [{ actionId: action?.id, ...remember({ pins: { amount: 5 } }), actingFor: 'Ada' }],
  });
  await lab.waitForOutcome(turnId);
  expect((await lab.waitForOutcome(await payAgain(scene, 5))).answer).toBe('Paid again.');
});

test('no call waits for ever that asks while an approval is being remembered', async () => {
  const count = 16;
  const scenes = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      lab.scene({ execution: index % 2 ? 'direct' : 'inspectable', tools: [payTool()] }),
    ),
  );
  const turnIds = await Promise.all(scenes.map((scene, index) => payAgain(scene, index)));
  const [first] = await eventually(
    () => Promise.all(turnIds.map((id) => lab.readTurn(id))),
    (turns) => turns.some(({ pendingActions }) => pendingActions.length > 0),
  ).then((turns) => turns.flatMap(({ pendingActions }) => pendingActions));
  await lab.decide(first?.id ?? '', remember({ scope: 'workspace' }));
  const turns = await Promise.all(turnIds.map((id) => lab.waitForOutcome(id)));

  expect(turns.map(({ outcome }) => outcome)).toEqual(turns.map(() => 'completed'));
  expect(paid).toHaveLength(count);
});
