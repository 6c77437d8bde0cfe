import { expect, test } from 'vitest';
import { createWorker } from '../../src/main/create-worker.ts';
import { loadConfig } from '../../src/main/config.ts';
import { createLogger } from '../../src/main/logger.ts';
import { createTurnEngine } from '../../src/modules/turns/turn-engine.ts';
import { openForTests } from '../labs/open-for-tests.ts';
import { startTurnLab } from '../labs/turn-lab.ts';
import { listVersions, makeCurrent } from '../labs/worker-versions.ts';

const lab = openForTests(() => startTurnLab({ worker: false }));

test('a turn starts eagerly on a worker that has a version', async () => {
  const config = loadConfig({ ...lab.environment, HOLDFAST_BUILD_ID: 'three' });
  const worker = await createWorker({
    config,
    databaseUrl: lab.databaseUrl,
    logger: createLogger(config, 'worker'),
  });
  const running = worker.run();
  await makeCurrent(lab, 'three');
  const engine = createTurnEngine({ client: worker.client, taskQueue: lab.taskQueue, startsEagerly: true });
  const scene = await lab.scene();
  scene.reply({ text: 'Here I am.' });
  const { turnId, start } = await scene.submit('Hello?');
  if (!start) throw new Error('the turn is queued');
  await engine.startTurn(start);
  expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed' });
  expect(await listVersions(lab, turnId)).toEqual(['three']);
  worker.shutdown();
  await running;
});
