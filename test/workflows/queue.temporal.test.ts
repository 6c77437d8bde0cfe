import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareTurnLab, type TurnLab } from '../labs/turn-lab.ts';

let lab: TurnLab;

beforeAll(async () => {
  lab = await shareTurnLab();
});

afterAll(() => lab.close());

/** A turn that holds its conversation until it is cancelled. */
async function startHeldScene() {
  const scene = await lab.scene();
  scene.reply({ text: 'Working on it ', hang: true });
  const running = await scene.say('Take your time.');
  await scene.waitForRequest(1);
  return { scene, running };
}

test('queued turns run one after the other, in the order of their submission', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'One.', chunkDelayMs: 200 }, { text: 'Two.' }, { text: 'Three.' });
  const first = await scene.say('1');
  const second = await scene.say('2', { onBusy: 'enqueue' });
  const third = await scene.say('3', { onBusy: 'enqueue' });
  expect((await lab.readTurn(third)).status).toBe('queued');
  const turns = [];
  for (const turnId of [first, second, third]) turns.push(await lab.waitForOutcome(turnId));

  expect(turns.map(({ answer }) => answer)).toEqual(['One.', 'Two.', 'Three.']);
  const events = await lab.readEvents(scene.conversationId);
  expect(
    events.filter(({ type }) => /^turn\.|queued/.test(type)).map(({ type, turnId }) => [type, turnId]),
  ).toEqual([
    ['turn.started', first],
    ['message.queued', second],
    ['message.queued', third],
    ['turn.settled', first],
    ['turn.started', second],
    ['turn.settled', second],
    ['turn.started', third],
    ['turn.settled', third],
  ]);
  expect(scene.requests()[2]?.body.messages.map(({ content }) => content)).toEqual([
    'Help the user.',
    '1',
    'One.',
    '2',
    'Two.',
    '3',
  ]);
});

test('a cancelled queued turn never runs, and the next turn in the queue runs', async () => {
  const { scene, running } = await startHeldScene();
  scene.reply({ text: 'Third.' });
  const dropped = await scene.say('Second', { onBusy: 'enqueue' });
  const kept = await scene.say('Third', { onBusy: 'enqueue' });
  expect(await lab.cancelTurn(dropped)).toEqual({ running: false });
  expect(await lab.readTurn(dropped)).toMatchObject({
    outcome: 'cancelled',
    answer: 'The turn was cancelled before it began.',
  });
  await lab.cancelTurn(running);
  await lab.waitForOutcome(running);
  const turn = await lab.waitForOutcome(kept);

  expect(turn).toMatchObject({ outcome: 'completed', answer: 'Third.' });
  expect(scene.requests()).toHaveLength(2);
  expect(await lab.engine.findTurnWorkflow(dropped)).toBe('missing');
});

test('the next turn runs also when the turn before it fails', async () => {
  const { scene, running } = await startHeldScene();
  scene.reply({ status: 401 }, { text: 'I am here.' });
  const failing = await scene.say('Second', { onBusy: 'enqueue' });
  const last = await scene.say('Third', { onBusy: 'enqueue' });
  await lab.cancelTurn(running);

  expect(await lab.waitForOutcome(failing)).toMatchObject({ outcome: 'failed' });
  expect(await lab.waitForOutcome(last)).toMatchObject({ outcome: 'completed', answer: 'I am here.' });
});

test('the time limit of a queued turn begins when it starts', async () => {
  const { scene, running } = await startHeldScene();
  scene.reply({ text: 'On time.' });
  const queued = await scene.say('Second', { onBusy: 'enqueue' });
  expect(await lab.readTurn(queued)).toMatchObject({ startedAt: null, deadlineAt: null });
  await lab.cancelTurn(running);
  const turn = await lab.waitForOutcome(queued);

  const spanMs = Date.parse(turn.deadlineAt ?? '') - Date.parse(turn.startedAt ?? '');
  expect(spanMs).toBe(120_000);
  expect(Date.parse(turn.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(turn.createdAt));
});
