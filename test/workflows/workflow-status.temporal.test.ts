import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import { withoutPlaces } from '../labs/turn-grounds.ts';

let lab: TurnLab;

beforeAll(async () => {
  lab = await startTurnLab({ environment: withoutPlaces });
});

afterAll(() => lab.close());

async function readEnd(turnId: string) {
  const handle = lab.client.workflow.getHandle(`turn-${turnId}`);
  const error: unknown = await handle.result().catch((thrown: unknown) => thrown);
  return { status: (await handle.describe()).status.name, error };
}

describe.each(executionModes)('the workflow of a turn in %s execution', (execution) => {
  test('that failed ends as failed with the code and message of the turn', async () => {
    const scene = await lab.scene({ execution });
    scene.reply({ status: 401, body: { error: { message: 'No such key.' } } });
    const turn = await lab.waitForOutcome(await scene.say('Hello?'));
    const { status, error } = await readEnd(turn.id);

    expect(status).toBe('FAILED');
    expect(error).toBeInstanceOf(WorkflowFailedError);
    const { cause } = error as WorkflowFailedError;
    expect(cause).toBeInstanceOf(ApplicationFailure);
    expect(cause).toMatchObject({ type: 'MODEL_AUTHENTICATION', message: turn.error?.message });
  });

  test('that ran out of time ends as failed and says so', async () => {
    const scene = await lab.scene({ execution, limits: { turnTimeoutMs: 6_000 } });
    scene.reply({ text: 'The first chapter ', hang: true });
    const turn = await lab.waitForOutcome(await scene.say('Write a novel.'));
    const { status, error } = await readEnd(turn.id);

    expect(turn.outcome).toBe('timed_out');
    expect(status).toBe('FAILED');
    expect((error as WorkflowFailedError).cause).toMatchObject({ type: 'TURN_TIMED_OUT' });
  });

  test('that was cancelled ends as cancelled', async () => {
    const scene = await lab.scene({ execution });
    scene.reply({ text: 'Once upon a time ', hang: true });
    const turnId = await scene.say('Tell me a story.');
    await scene.waitForRequest(1);
    await lab.cancelTurn(turnId);
    await lab.waitForOutcome(turnId);

    expect((await readEnd(turnId)).status).toBe('CANCELLED');
  });

  test('that completed ends as completed', async () => {
    const scene = await lab.scene({ execution });
    scene.reply({ text: 'Hello.' });
    const turn = await lab.waitForOutcome(await scene.say('Hello?'));

    expect((await readEnd(turn.id)).status).toBe('COMPLETED');
  });
});
