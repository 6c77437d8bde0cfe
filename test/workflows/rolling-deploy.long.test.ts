import { expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { eventually } from '../labs/eventually.ts';
import { callPay, payTool } from '../labs/lab-tools.ts';
import { openForTests } from '../labs/open-for-tests.ts';
import { startTurnLab } from '../labs/turn-lab.ts';
import { withoutPlaces } from '../labs/turn-grounds.ts';
import { startLocalWorker } from '../labs/turn-lab-worker.ts';
import { listVersions, makeCurrent } from '../labs/worker-versions.ts';
import { startScriptedServer, textResult } from '../servers/mcp-servers.ts';

const lab = openForTests(async () => {
  const server = await startScriptedServer({ pay: () => textResult('paid') });
  const opened = await startTurnLab({
    mcpServers: { lab: { url: server.url } },
    worker: false,
    environment: withoutPlaces,
  });
  const close = async () => {
    await opened.close();
    await server.close();
  };
  return { ...opened, close };
});

/** Starts a worker of a version, and makes it the current one as soon as Temporal knows it. */
async function deploy(buildId: string) {
  const worker = await startLocalWorker({ ...lab.environment, HOLDFAST_BUILD_ID: buildId });
  await makeCurrent(lab, buildId);
  return worker;
}

/** A turn of each kind of execution whose model answers when `until` settles. */
function startTurns(until: Promise<unknown>): Promise<string[]> {
  return Promise.all(
    executionModes.map(async (execution) => {
      const scene = await lab.scene({ execution });
      scene.reply({ text: 'Here I am.', until });
      const turnId = await scene.say('Hello?');
      await scene.waitForRequest(1);
      return turnId;
    }),
  );
}

/** A turn of each kind of execution that waits for an approval in a separate run. */
function startWaitingTurns(): Promise<string[]> {
  return Promise.all(
    executionModes.map(async (execution) => {
      const scene = await lab.scene({ execution, tools: [payTool()] });
      scene.reply(callPay(3), { text: 'Paid.' });
      const turnId = await scene.say('Pay.');
      await lab.waitForActions(turnId);
      await eventually(
        () => lab.client.workflow.count(`WorkflowId = 'turn-${turnId}'`),
        ({ count }) => count >= 2,
      );
      return turnId;
    }),
  );
}

test('in a rolling deploy each turn ends with the version that started it, and no turn is lost', async () => {
  const first = await deploy('one');
  const answer = Promise.withResolvers<undefined>();
  const running = await startTurns(answer.promise);
  const waiting = await startWaitingTurns();

  const second = await deploy('two');
  const later = await startTurns(Promise.resolve());
  for (const turnId of later) {
    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed' });
    expect(await listVersions(lab, turnId)).toEqual(['two']);
  }

  answer.resolve(undefined);
  for (const turnId of running) {
    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed' });
    expect(await listVersions(lab, turnId)).toEqual(['one']);
  }

  await first.stop();
  for (const turnId of waiting) {
    const [action] = await lab.waitForActions(turnId);
    await lab.decide(action?.id ?? '', { decision: 'approve' });
    expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed' });
    expect(await listVersions(lab, turnId)).toEqual(['two']);
  }
  await second.stop();
});
