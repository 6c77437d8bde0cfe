import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../labs/eventually.ts';
import { mcpTool } from '../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startLocalWorker } from '../../labs/turn-lab-worker.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';
import { exportHistory, isSealed, listPayloads, mark } from './history-payloads.ts';

const encrypted = { HOLDFAST_ENCRYPT_PAYLOADS: 'true' };

let server: ScriptedServer;
let lab: TurnLab;
let letGo = (): void => undefined;

beforeAll(async () => {
  server = await startScriptedServer({
    wait: () => new Promise((resolve) => (letGo = () => resolve(textResult('At last.')))),
  });
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url } }, worker: false });
});

afterAll(async () => {
  await lab.close();
  await server.close();
});

describe('a worker with encrypted turns', () => {
  test('continues with encryption a turn that was started without, and the other way round', async () => {
    const scene = await lab.scene({ tools: [mcpTool('wait')] });
    const [plainly, sealing] = [{}, encrypted];
    for (const [before, after] of [
      [plainly, sealing],
      [sealing, plainly],
    ]) {
      const text = mark('answer');
      scene.reply({ toolCalls: [{ name: 'wait', arguments: {} }] }, { text });
      const first = await startLocalWorker({ ...lab.environment, ...before });
      const turnId = await scene.say('Wait for it.');
      await eventually(
        () => lab.readLedger(turnId),
        (calls) => calls[0]?.status === 'started',
      );
      const second = await startLocalWorker({ ...lab.environment, ...after });
      const stopped = first.stop();
      letGo();
      await stopped;
      expect(await lab.waitForOutcome(turnId)).toMatchObject({ outcome: 'completed', answer: text });
      await second.stop();
      const payloads = listPayloads(await exportHistory(lab, `turn-${turnId}`));
      expect(new Set(payloads.map(isSealed))).toEqual(new Set([true, false]));
    }
  });
});
