import { expect, test } from 'vitest';
import { createTriggerDeliveryRepository } from '../../../src/modules/triggers/trigger-delivery-repository.ts';
import { eventually } from '../../labs/eventually.ts';
import { startLabApiProcess } from '../../labs/lab-api.ts';
import { createRoutineScene, toDocument } from '../../labs/routine-scene.ts';
import { createTriggerScene, toDeliveryId } from '../../labs/trigger-scene.ts';
import { startTurnLab } from '../../labs/turn-lab.ts';
import { deliver, fromGitHub } from '../../labs/vendor-deliveries.ts';

const secret = 'a-secret-of-the-vendor';

test('deliveries that were accepted before the API and a worker were killed start one turn and one run each', async () => {
  await using stack = new AsyncDisposableStack();
  const lab = await startTurnLab({ worker: false });
  stack.defer(lab.close);
  const scene = await createRoutineScene(lab);
  const api = await startLabApiProcess(lab);
  stack.defer(api.stop);
  const triggers = createTriggerScene(api.ask);
  const { id: routineId } = await scene.store(
    toDocument('triaged', "  - note: { set: { seen: '${ .n }' } }"),
  );
  const agentId = scene.agent.id;
  const turn = { kind: 'turn', agentId, message: 'Issue {{ .n }}' };
  const turns = (await triggers.create({ secret, action: turn })).trigger;
  const runs = (await triggers.create({ secret, action: { kind: 'routine', routineId } })).trigger;
  const answer = { text: 'Seen.' };
  // A worker that is killed may have asked the model already.
  scene.reply(answer, answer, ...[1, 2, 3].map(() => ({ ...answer, isOptional: true })));

  const send = async ({ url }: { url: string }, n: number) =>
    toDeliveryId(await deliver(url, fromGitHub({ secret, payload: { n } })));
  const accepted = await Promise.all([send(turns, 1), send(turns, 2), send(runs, 3)]);
  await api.kill();
  const worker = await lab.startWorkerProcess();
  const sweeping = lab.sweep();
  await worker.kill();
  await lab.startWorker();
  await sweeping;

  const list = (triggerId: string) =>
    lab.database.inWorkspace(lab.workspaceId, (trx) =>
      createTriggerDeliveryRepository(trx).listDeliveries({ triggerId, limit: 10 }),
    );
  const listed = await eventually(
    async () => {
      await lab.sweep();
      return [...(await list(turns.id)).items, ...(await list(runs.id)).items];
    },
    (all) => all.every(({ status }) => status === 'started'),
  );
  expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(accepted));
  for (const { turnId, routineRunId } of listed) {
    if (turnId !== null) expect(await lab.waitUntilSettled(turnId)).toMatchObject({ answer: 'Seen.' });
    if (routineRunId !== null)
      expect(await scene.end(routineRunId)).toMatchObject({ status: 'completed', output: { seen: 3 } });
  }
  const { system } = lab.database;
  const ofTurns = system('turns').where({ agent_id: agentId });
  const stored = await ofTurns.whereNotIn('id', system('routine_runs').select('id'));
  expect(stored).toHaveLength(2);
  expect(await system('routine_runs').where({ routine_id: routineId })).toHaveLength(1);
}, 180_000);
