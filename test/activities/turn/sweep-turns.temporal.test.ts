import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../labs/eventually.ts';
import type { LabScene } from '../../labs/turn-lab-scene.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';

let lab: TurnLab;

beforeAll(async () => {
  lab = await startTurnLab();
});

afterAll(() => lab.close());

/** Makes a turn old enough for the sweeper to check it. */
async function age(turnId: string, columns: Record<string, string>): Promise<void> {
  const changes = Object.entries(columns).map(([column, span]) => [
    column,
    lab.database.system.raw(`now() - interval '${span}'`),
  ]);
  await lab.database
    .system('turns')
    .where({ id: turnId })
    .update(Object.fromEntries(changes) as object);
}

/** A turn whose row is there and whose workflow was never started, as after a crash of the API. */
async function submitOnly(scene: LabScene, message: string) {
  const { turnId, start } = await scene.submit(message);
  if (!start) throw new Error('the turn should be there to be started');
  await age(turnId, { started_at: '10 seconds' });
  return { turnId, start };
}

async function countRuns(turnId: string): Promise<number> {
  let runs = 0;
  const found = lab.client.workflow.list({ query: `WorkflowId = 'turn-${turnId}'` });
  for await (const run of found) runs += run.runId ? 1 : 0;
  return runs;
}

describe('a turn whose workflow was never started', () => {
  test('is started once by the sweeper', async () => {
    const scene = await lab.scene();
    scene.reply({ text: 'Late, but here.' });
    const { turnId } = await submitOnly(scene, 'Anybody?');
    await Promise.all([lab.sweep(), lab.sweep()]);
    const turn = await lab.waitForOutcome(turnId);
    await lab.sweep();

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Late, but here.' });
    expect(scene.requests()).toHaveLength(1);
    await eventually(
      () => countRuns(turnId),
      (runs) => runs === 1,
    );
  });

  test('is started by the retry of its client, and the sweeper does not start it again', async () => {
    const scene = await lab.scene();
    scene.reply({ text: 'Here I am.' });
    const { turnId } = await submitOnly(scene, 'Anybody?');
    const retry = await scene.submit('Anybody?', { turnId });
    expect(retry).toMatchObject({ accepted: false, turnId });
    if (!retry.start) throw new Error('a repeated request should start the turn again');
    await Promise.all([lab.engine.startTurn(retry.start), lab.sweep()]);
    const turn = await lab.waitForOutcome(turnId);
    await lab.sweep();

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Here I am.' });
    expect(scene.requests()).toHaveLength(1);
    expect(await lab.database.system('turns').where({ id: turnId })).toHaveLength(1);
  });

  test('is not started by the sweeper while its first start may still be in progress', async () => {
    const scene = await lab.scene();
    const { turnId, start } = await scene.submit('Just now.');
    await lab.sweep();

    expect(await lab.engine.findTurnWorkflow(turnId)).toBe('missing');
    scene.reply({ text: 'Now.' });
    if (start) await lab.engine.startTurn(start);
    await lab.waitForOutcome(turnId);
  });

  test('is settled as cancelled when the agent that called it asks for a stop meanwhile', async () => {
    const scene = await lab.scene();
    const { turnId } = await submitOnly(scene, 'Stop that.');
    await lab.cancelTurn(turnId);
    await lab.sweep();

    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'cancelled' });
    expect(scene.requests()).toHaveLength(0);
  });
});

describe('a turn whose workflow runs', () => {
  test('is marked as seen by the sweeper and not changed', async () => {
    const scene = await lab.scene();
    scene.reply({ text: 'Slow ', hang: true });
    const turnId = await scene.say('Slowly.');
    await scene.waitForRequest(1);
    await age(turnId, { started_at: '10 seconds' });
    await lab.sweep();

    const row = await lab.database.system('turns').where({ id: turnId }).first<{ start_seen: boolean }>();
    expect(row.start_seen).toBe(true);
    expect(await lab.readTurn(turnId)).toMatchObject({ status: 'running' });
    await lab.cancelTurn(turnId);
    await lab.waitForOutcome(turnId);
  });
});

describe('a turn whose workflow was terminated', () => {
  test('is settled as failed when the sweeper notices it before the deadline', async () => {
    const scene = await lab.scene();
    scene.reply({ text: 'I was saying ', hang: true });
    const turnId = await scene.say('Talk.');
    await scene.waitForRequest(1);
    await lab.client.workflow.getHandle(`turn-${turnId}`).terminate('by an operator');
    await age(turnId, { started_at: '10 seconds' });
    await lab.sweep();
    const turn = await lab.readTurn(turnId);

    expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'INTERNAL' } });
    expect(turn.answer).toContain('ended by force');
    expect((await lab.readEvents(scene.conversationId)).at(-1)?.type).toBe('turn.settled');
  });

  test('is settled as timed out after its deadline when its workflow had been seen', async () => {
    const scene = await lab.scene();
    scene.reply({ text: 'I was saying ', hang: true }, { text: 'And on it goes.' });
    const turnId = await scene.say('Talk.');
    await scene.waitForRequest(1);
    const queued = await scene.say('And then?', { onBusy: 'enqueue' });
    await age(turnId, { started_at: '10 seconds' });
    await lab.sweep();
    await lab.client.workflow.getHandle(`turn-${turnId}`).terminate('by an operator');
    await lab.sweep();
    expect(await lab.readTurn(turnId)).toMatchObject({ status: 'running' });
    await age(turnId, { deadline_at: '1 second' });
    await lab.sweep();

    expect(await lab.readTurn(turnId)).toMatchObject({
      outcome: 'timed_out',
      error: { code: 'TURN_TIMED_OUT' },
    });
    expect(await lab.waitForOutcome(queued)).toMatchObject({ answer: 'And on it goes.' });
  });
});

test('the sweeper starts the next turn of a queue in which no turn runs', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'Held ', hang: true }, { text: 'My turn.' });
  const first = await scene.say('First.');
  await scene.waitForRequest(1);
  const second = await scene.say('Second.', { onBusy: 'enqueue' });
  // The state after a process died between settling a turn and starting the next one.
  await lab.client.workflow.getHandle(`turn-${first}`).terminate('gone');
  await lab.database
    .system('turns')
    .where({ id: first })
    .update({ status: 'failed', settled_at: new Date() });
  await lab.sweep();

  expect(await lab.waitForOutcome(second)).toMatchObject({ outcome: 'completed', answer: 'My turn.' });
});

test('a Temporal schedule runs the sweeper', async () => {
  const other = await startTurnLab({ environment: { HOLDFAST_SWEEP_INTERVAL_MS: '1000' } });
  try {
    const scene = await other.scene();
    scene.reply({ text: 'Found.' });
    const { turnId } = await scene.submit('Find me.');
    await other.database
      .system('turns')
      .where({ id: turnId })
      .update({ started_at: new Date(Date.now() - 10_000) });

    expect(await other.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed', answer: 'Found.' });
  } finally {
    await other.close();
  }
});

test('stream chunks are deleted after an hour', async () => {
  const scene = await lab.scene();
  scene.reply({ text: 'To be forgotten.', chunkDelayMs: 100 });
  const turnId = await scene.say('Say it.');
  await lab.waitForOutcome(turnId);
  const age = (span: string) =>
    lab.database
      .system('stream_chunks')
      .where({ turn_id: turnId })
      .update({ created_at: lab.database.system.raw(`now() - interval '${span}'`) as unknown as Date });
  await age('59 minutes');
  await lab.sweep();
  const before = await lab.readChunks(turnId);
  await age('61 minutes');
  await lab.sweep();

  expect(before.length).toBeGreaterThan(0);
  expect(await lab.readChunks(turnId)).toEqual([]);
});
