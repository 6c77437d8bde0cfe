import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchTurnHistory, listScheduledActivities } from '../../labs/histories.ts';
import { eventually } from '../../labs/eventually.ts';
import { mcpTool } from '../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { withoutPlaces } from '../../labs/turn-grounds.ts';
import {
  findFreePort,
  startScriptedServer,
  textResult,
  type ScriptedServer,
} from '../../servers/mcp-servers.ts';

describe.each([{}, withoutPlaces])('a direct turn whose worker with %o is asked to stop', (environment) => {
  const reached = Promise.withResolvers<undefined>();
  const answer = Promise.withResolvers<undefined>();
  let lab: TurnLab;
  let server: ScriptedServer;

  beforeAll(async () => {
    server = await startScriptedServer({
      pay: async () => {
        reached.resolve(undefined);
        await answer.promise;
        return textResult('paid');
      },
    });
    lab = await startTurnLab({ worker: false, mcpServers: { lab: { url: server.url } }, environment });
  });

  afterAll(async () => {
    await lab.close();
    await server.close();
  });

  test('ends its step there and continues with another worker', async () => {
    const port = await findFreePort();
    const worker = await lab.startWorkerProcess({ HOLDFAST_HEALTH_PORT: String(port) });
    const scene = await lab.scene({ execution: 'direct', tools: [mcpTool('pay')] });
    scene.reply({ toolCalls: [{ name: 'pay', arguments: {} }] }, { text: 'Paid.' });
    const turnId = await scene.say('Pay.');
    await reached.promise;
    await lab.startWorkerProcess();
    const stopping = worker.stop();
    // A worker that has begun to stop answers 503.
    await eventually(
      () => fetch(`http://127.0.0.1:${port}/health/live`),
      ({ ok }) => !ok,
    );
    answer.resolve(undefined);
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'Paid.', iterations: 2 });
    expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(listScheduledActivities(await fetchTurnHistory(lab, turnId))).toEqual(['runTurn']);
    expect(await stopping).toBe(0);
  });
});
