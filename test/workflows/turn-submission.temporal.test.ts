import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TurnSubmissionInput, TurnSubmissionResult } from '../../src/contract/submission.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { eventually } from '../labs/eventually.ts';
import { recordWorkflow } from '../labs/histories.ts';
import { calculate } from '../labs/lab-tools.ts';
import { temporalAddress } from '../labs/temporal.ts';
import { shareTurnLab, type TurnLab } from '../labs/turn-lab.ts';

type SubmissionWorkflow = (input: TurnSubmissionInput) => Promise<TurnSubmissionResult>;

let lab: TurnLab;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  lab = await shareTurnLab();
  connection = await Connection.connect({ address: temporalAddress() });
  client = new Client({ connection });
});

afterAll(async () => {
  await connection.close();
  await lab.close();
});

/** What any program with a Temporal client of its own does. */
function submit(input: TurnSubmissionInput) {
  return client.workflow.start<SubmissionWorkflow>('turnSubmission', {
    workflowId: `submission-${input.turnId}`,
    taskQueue: lab.taskQueue,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}

function toSubmission(conversationId: string, message: string): TurnSubmissionInput {
  return { workspaceId: lab.workspaceId, turnId: newId(), conversationId, message, onBusy: 'reject' };
}

test('a submission through Temporal alone runs the turn and ends with its result', async () => {
  const scene = await lab.scene({ tools: [calculate] });
  scene.reply(
    { toolCalls: [{ name: 'calculate', arguments: { expression: '4 * 4' } }] },
    { text: 'Sixteen.' },
  );
  const input = toSubmission(scene.conversationId, 'Four times four?');
  const { turn } = await (await submit(input)).result();

  expect(turn).toMatchObject({ id: input.turnId, outcome: 'completed', answer: 'Sixteen.' });
  expect(turn.toolCalls).toMatchObject([{ name: 'calculate', status: 'succeeded', arguments: null }]);
  expect(await client.workflow.getHandle(`turn-${input.turnId}`).result()).toEqual({
    outcome: 'completed',
    iterations: 2,
  });
  await recordWorkflow(lab, 'turn-submission', `submission-${input.turnId}`);
});

test('the same submission made twice runs one turn', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'Once.', chunkDelayMs: 200 });
  const input = toSubmission(scene.conversationId, 'How often?');
  const [one, other] = await Promise.all([submit(input), submit(input)]);
  const [first, second] = await Promise.all([one.result(), other.result()]);

  expect(first).toEqual(second);
  expect(scene.requests()).toHaveLength(1);
});

test('a submission of a turn that the API has accepted waits for that turn', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'Together.', chunkDelayMs: 300 });
  const input = toSubmission(scene.conversationId, 'Join me.');
  const handle = await submit(input);
  await scene.waitForRequest(1);
  const again = await client.workflow.start<SubmissionWorkflow>('turnSubmission', {
    workflowId: `another-way-to-${input.turnId}`,
    taskQueue: lab.taskQueue,
    args: [input],
  });
  const [first, second] = await Promise.all([handle.result(), again.result()]);

  expect(second).toEqual(first);
  expect(scene.requests()).toHaveLength(1);
});

test('a submission to a busy conversation is refused, or queued on request', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'Busy ', hang: true }, { text: 'Now you.' });
  const running = await scene.say('Work.');
  await scene.waitForRequest(1);
  const refused = await submit(toSubmission(scene.conversationId, 'And me?'));
  await expect(refused.result()).rejects.toMatchObject({
    cause: { cause: { type: 'TURN_RUNNING' } },
  });
  const input = { ...toSubmission(scene.conversationId, 'I can wait.'), onBusy: 'enqueue' as const };
  const queued = await submit(input);
  await eventually(
    () => lab.database.system('turns').where({ id: input.turnId, status: 'queued' }),
    (rows: unknown[]) => rows.length === 1,
  );
  await lab.cancelTurn(running);

  expect((await queued.result()).turn).toMatchObject({ outcome: 'completed', answer: 'Now you.' });
  await recordWorkflow(lab, 'turn-submission-queued', `submission-${input.turnId}`);
});

test('cancelling a submission does not cancel its turn', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'I go on whatever happens.', chunkDelayMs: 200 });
  const input = toSubmission(scene.conversationId, 'Go on.');
  const handle = await submit(input);
  await scene.waitForRequest(1);
  await handle.cancel();

  await expect(handle.result()).rejects.toThrow();
  expect(await lab.waitForOutcome(input.turnId)).toMatchObject({
    outcome: 'completed',
    answer: 'I go on whatever happens.',
  });
});

test.each([
  ['an unknown conversation', { conversationId: newId() }, 'NOT_FOUND'],
  ['an empty message', { message: '' }, 'INVALID_INPUT'],
  ['an id that is none', { conversationId: 'my-conversation' }, 'INVALID_INPUT'],
  ['a workspace that is not that of the conversation', { workspaceId: newId() }, 'NOT_FOUND'],
])('a submission with %s fails with a code and stores nothing', async (_what, change, type) => {
  const scene = await lab.scene();
  const input = { ...toSubmission(scene.conversationId, 'Hello?'), ...change };
  const handle = await submit(input);

  await expect(handle.result()).rejects.toMatchObject({ cause: { cause: { type } } });
  expect(await lab.database.system('turns').where({ id: input.turnId })).toEqual([]);
});
