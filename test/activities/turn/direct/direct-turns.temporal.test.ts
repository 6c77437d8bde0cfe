import { WorkflowNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forkConversation } from '../../../../src/modules/turns/forks/fork-conversation.ts';
import { forkInputSchema } from '../../../../src/modules/turns/forks/fork.ts';
import { readLinkedTurn } from '../../../../src/modules/turns/read-turn.ts';
import { unowned } from '../../../../src/modules/turns/turn-rows.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { eventually } from '../../../labs/eventually.ts';
import { fetchTurnHistory } from '../../../labs/histories.ts';
import { calculate, callPay, mcpTool, payTool } from '../../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../../labs/turn-lab.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../../servers/mcp-servers.ts';

let lab: TurnLab;
let server: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer({ pay: () => textResult('paid') });
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
});

afterAll(async () => {
  await lab.close();
  await server.close();
});

const ownerOf = async (id: string) => {
  const [row] = await lab.database.system('turns').where({ id }).select<{ direct_owner: string | null }[]>();
  return row?.direct_owner;
};

/** A turn is released when its workflow has started. */
const waitUntilReleased = (id: string) =>
  eventually(
    () => ownerOf(id),
    (owner) => owner === null,
  );

/** Reads the address of the workflow of a turn, as the API shows it. */
const readLink = (turnId: string) =>
  readLinkedTurn(
    { database: lab.database, toTemporalUrl: (workflowId) => `https://temporal.example/${workflowId}` },
    { workspaceId: lab.workspaceId },
    turnId,
  );

/** Reads the current details that the Web UI shows for the first run of the workflow of a turn. */
async function readFirstDetails(turnId: string): Promise<string | undefined> {
  const { events } = await fetchTurnHistory(lab, turnId);
  const { firstExecutionRunId } = events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
  const run = lab.client.workflow.getHandle(`turn-${turnId}`, firstExecutionRunId ?? undefined);
  return (await run.query<{ currentDetails?: string }>('__temporal_workflow_metadata')).currentDetails;
}

const findWorkflow = (turnId: string) => lab.client.workflow.getHandle(`turn-${turnId}`).describe();

test('a turn has no workflow, and neither has the next one of its conversation', async () => {
  const scene = await lab.scene({ execution: 'direct', tools: [calculate] });
  const answer = Promise.withResolvers<undefined>();
  scene.reply(
    { toolCalls: [{ name: 'calculate', arguments: { expression: '6 * 7' } }] },
    { text: 'It is 42.', until: answer.promise },
    { text: 'You are welcome.' },
  );
  const turnId = await scene.say('What is 6 * 7?');
  await scene.waitForRequest(2);
  const nextId = await scene.say('Thanks.', { onBusy: 'enqueue' });
  answer.resolve(undefined);
  expect(await lab.waitUntilSettled(turnId)).toMatchObject({ outcome: 'completed', answer: 'It is 42.' });
  expect(await lab.waitUntilSettled(nextId)).toMatchObject({ outcome: 'completed' });

  for (const id of [turnId, nextId]) {
    await expect(findWorkflow(id)).rejects.toThrow(WorkflowNotFoundError);
    expect(await readLink(id)).toMatchObject({ temporalUrl: null });
    expect(await ownerOf(id)).not.toBeNull();
  }
});

test('a fork with live tools has no workflow, and one with recorded results has one', async () => {
  const scene = await lab.scene({ execution: 'direct', tools: [calculate] });
  const rounds = [
    { toolCalls: [{ name: 'calculate', arguments: { expression: '1 + 1' } }] },
    { text: 'Two.' },
  ];
  scene.reply(...rounds);
  const turnId = await scene.say('What is 1 + 1?');
  await lab.waitUntilSettled(turnId);
  const fork = async (tools: 'live' | 'recorded') => {
    scene.reply(...rounds);
    const request = { parentId: scene.conversationId, input: forkInputSchema.parse({ turnId, tools }) };
    const { turn } = await forkConversation(lab.turns, lab, request);
    return lab.waitForOutcome(turn?.id ?? '');
  };
  const live = await fork('live');
  const recorded = await fork('recorded');

  expect([live, recorded]).toMatchObject([{ answer: 'Two.' }, { answer: 'Two.' }]);
  await expect(findWorkflow(live.id)).rejects.toThrow(WorkflowNotFoundError);
  expect((await findWorkflow(recorded.id)).type).toBe('recordedTurn');
});

test('a turn that waits for a person gets a workflow', async () => {
  const scene = await lab.scene({ execution: 'direct', tools: [payTool()] });
  scene.reply(callPay(100), { text: 'Paid.' });
  const turnId = await scene.say('Pay 100.');
  const [action] = await lab.waitForActions(turnId);
  await waitUntilReleased(turnId);
  expect(await readLink(turnId)).toMatchObject({ temporalUrl: expect.stringContaining(turnId) as string });
  await lab.decide(action?.id ?? '', { decision: 'approve' });
  const turn = await lab.waitForOutcome(turnId);

  expect(turn).toMatchObject({ outcome: 'completed', answer: 'Paid.', toolCalls: [{ status: 'succeeded' }] });
  expect((await findWorkflow(turnId)).status.name).toBe('COMPLETED');
  expect(scene.requests()).toHaveLength(2);
  const details = await readFirstDetails(turnId);
  expect(details).toContain(`**Began without a workflow**, in the worker ${process.pid}@`);
  expect(details).toMatch(/\*\*Iteration 1\*\*.*\n\n- ✓ `pay amount=100`/s);
});

test('a turn whose worker has lost it stops there, and continues in a workflow', async () => {
  const scene = await lab.scene({ execution: 'direct' });
  scene.reply({ text: 'Once ', hang: true }, { text: 'Upon a time.' });
  const turnId = await scene.say('Tell me.');
  const request = await scene.waitForRequest(1);
  // A worker that has never had a lease.
  await lab.database.system('turns').where({ id: turnId }).update({ direct_owner: newId() });
  await request.closed;
  const turn = await lab.waitForOutcome(turnId);

  expect(turn).toMatchObject({ outcome: 'completed', answer: 'Upon a time.', iterations: 1 });
  await waitUntilReleased(turnId);
  expect((await findWorkflow(turnId)).status.name).toBe('COMPLETED');
  expect(await readFirstDetails(turnId)).toContain('**Came without a workflow**');
});

test('a turn that was asked to stop ends though no worker was notified', async () => {
  const scene = await lab.scene({ execution: 'direct' });
  scene.reply({ text: 'Once ', hang: true });
  const turnId = await scene.say('Tell me.');
  await scene.waitForRequest(1);
  await lab.database
    .system('turns')
    .where({ id: turnId })
    .update({ cancel_requested_at: lab.database.system.fn.now() });
  expect(await lab.waitUntilSettled(turnId)).toMatchObject({ outcome: 'cancelled' });
});

test('a turn that no worker was offered gets a workflow, and one that waited too long is not begun', async () => {
  const scene = await lab.scene({ execution: 'direct' });
  const lateScene = await lab.scene({ execution: 'direct' });
  scene.reply({ text: 'Here I am.' });
  const [{ turnId }, late] = await Promise.all([scene.submit('Hello.'), lateScene.submit('Hello.')]);
  await lab.database.system('turns').where({ id: turnId }).update({ direct_owner: unowned });
  await lab.database
    .system('turns')
    .where({ id: late.turnId })
    .update({ direct_owner: unowned, started_at: lab.database.system.raw(`now() - interval '1 hour'`) });
  expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed', answer: 'Here I am.' });
  await lab.sweep();
  expect(await lab.waitUntilSettled(late.turnId)).toMatchObject({
    outcome: 'timed_out',
    error: { code: 'TURN_NOT_STARTED' },
  });
  expect(lateScene.requests()).toEqual([]);
});

test('two workers run each turn once, whichever is stopped meanwhile', async () => {
  const second = await lab.startWorkerProcess();
  const scenes = await Promise.all(
    Array.from({ length: 6 }, () => lab.scene({ execution: 'direct', tools: [mcpTool('pay')] })),
  );
  const answer = Promise.withResolvers<undefined>();
  for (const scene of scenes) {
    scene.reply({ toolCalls: [{ name: 'pay', arguments: {} }], until: answer.promise }, { text: 'Paid.' });
  }
  const before = server.calls.size;
  const turnIds = await Promise.all(scenes.map((scene) => scene.say('Pay.')));
  await Promise.all(scenes.map((scene) => scene.waitForRequest(1)));
  const stopping = second.stop();
  answer.resolve(undefined);
  const turns = await Promise.all(turnIds.map(lab.waitForOutcome));

  expect(turns.map(({ outcome }) => outcome)).toEqual(turns.map(() => 'completed'));
  expect(turns.flatMap(({ toolCalls }) => toolCalls.map(({ attempts }) => attempts))).toEqual(
    turns.map(() => 1),
  );
  expect(server.calls.size).toBe(before + scenes.length);
  expect(await stopping).toBe(0);
});
