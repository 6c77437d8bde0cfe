import { afterAll, beforeAll, expect, test } from 'vitest';
import { executionModes } from '../../../src/domain/agent.ts';
import { listReadableTypes } from '../../../src/modules/changes/change.ts';
import type { ChangeCursor } from '../../../src/modules/changes/change-cursor.ts';
import { createChangeRepository } from '../../../src/modules/changes/change-repository.ts';
import { shareTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { calculate } from '../../labs/lab-tools.ts';

let lab: TurnLab;
beforeAll(async () => {
  lab = await shareTurnLab();
});
afterAll(() => lab.close());

function read(after?: ChangeCursor) {
  const { workspaceId } = lab;
  return lab.database.forStreams.pipelined(workspaceId, (query) =>
    createChangeRepository(query).readChanges(after, {
      types: listReadableTypes({ workspaceId }),
      person: null,
    }),
  );
}

const callOnce = { toolCalls: [{ name: 'calculate', arguments: { expression: '2 + 2' } }] };

test.each(executionModes)(
  'a %s turn that waits for an approval leaves a note of each of its statuses',
  async (execution) => {
    const tools = [{ ...calculate, settings: { approval: 'always_ask' as const } }];
    const scene = await lab.scene({ execution, tools });
    scene.reply(callOnce, { text: 'Four.' });
    const { cursor } = await read();
    const turnId = await scene.say('2 + 2?');
    const [action] = await lab.waitForActions(turnId);
    const queuedId = await scene.say('And then?', { onBusy: 'enqueue' });
    await lab.cancelTurn(queuedId);
    await lab.decide(action?.id ?? '', { decision: 'approve' });
    await lab.waitForOutcome(turnId);
    const { changes } = await read(cursor);
    expect(changes.map(({ type, id, status }) => [type, id, status])).toEqual([
      ['turn', turnId, 'running'],
      ['action', action?.id, 'pending'],
      ['turn', turnId, 'waiting_for_approval'],
      ['turn', queuedId, 'queued'],
      ['turn', queuedId, 'cancelled'],
      ['action', action?.id, 'approved'],
      ['turn', turnId, 'running'],
      ['turn', turnId, 'completed'],
    ]);
    expect(new Set(changes.map(({ conversationId }) => conversationId))).toEqual(
      new Set([scene.conversationId]),
    );
  },
);

test.each(executionModes)('a plain %s turn leaves two notes', async (execution) => {
  const scene = await lab.scene({ execution });
  scene.reply({ text: 'Hello.' });
  const { cursor } = await read();
  const turnId = await scene.say('Hello?');
  await lab.waitForOutcome(turnId);
  const { changes } = await read(cursor);
  expect(changes.map(({ id, status }) => [id, status])).toEqual([
    [turnId, 'running'],
    [turnId, 'completed'],
  ]);
});
