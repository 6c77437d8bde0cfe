import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../labs/eventually.ts';
import { mcpTool } from '../labs/lab-tools.ts';
import { startLosableTemporal, type LosableTemporal } from '../labs/losable-temporal.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../servers/mcp-servers.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';

let temporal: LosableTemporal;
let server: ScriptedServer;
let lab: TurnLab;

beforeAll(async () => {
  temporal = await startLosableTemporal();
  server = await startScriptedServer({ pay: () => textResult('paid') });
  lab = await startTurnLab({ temporalAddress: temporal.address, mcpServers: { lab: { url: server.url } } });
});

afterAll(async () => {
  await lab.close();
  await server.close();
  await temporal.close();
});

/** Sweeps until the turn was swept: a sweep fails while Temporal begins, and leaves the turn until its lease is over. */
async function sweepSoon(turnId: string): Promise<void> {
  const longAgo = new Date(Date.now() - 10_000);
  const sweepOnce = async () => {
    const turn = { started_at: longAgo, start_seen: false, swept_at: null };
    await lab.database.system('turns').where({ id: turnId }).update(turn);
    const swept = (await lab.sweep().catch(() => null))?.['turns'];
    return { swept, status: (await lab.readTurn(turnId)).status };
  };
  await eventually(
    sweepOnce,
    ({ swept, status }) => status !== 'running' || (typeof swept === 'object' && swept.done > 0),
  );
}

test('a turn whose engine was lost continues from the stored data and repeats no finished step', async () => {
  const scene = await lab.scene({ tools: [mcpTool('pay')] });
  scene.reply(
    { toolCalls: [{ name: 'pay', arguments: {} }] },
    { text: 'It is being ', hang: true },
    { text: 'It is paid.' },
  );
  const turnId = await scene.say('Pay.');
  await scene.waitForRequest(2);
  await eventually(
    () => lab.readChunks(turnId),
    (chunks) => chunks.length > 0,
  );
  await temporal.lose();
  await sweepSoon(turnId);
  const turn = await lab.waitForOutcome(turnId);

  expect(turn).toMatchObject({ outcome: 'completed', answer: 'It is paid.', iterations: 2 });
  expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 1, result: 'paid' }]);
  expect([...server.calls.values()]).toEqual([1]);
  expect(scene.requests()).toHaveLength(3);
  const chunks = await lab.readChunks(turnId);
  expect(chunks.some(({ text }) => text === null)).toBe(true);
}, 120_000);

test('a turn whose engine is lost repeatedly is restarted twice and then settled', async () => {
  const scene = await lab.scene();
  scene.reply(...Array.from({ length: 3 }, () => ({ text: 'I am ', hang: true })));
  const turnId = await scene.say('Go.');
  for (const requests of [1, 2]) {
    await scene.waitForRequest(requests);
    await temporal.lose();
    await sweepSoon(turnId);
  }
  await scene.waitForRequest(3);
  await temporal.lose();
  await sweepSoon(turnId);
  const turn = await lab.waitUntilSettled(turnId);

  expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'INTERNAL' } });
  expect(turn.answer).toContain('ended by force');
  expect(scene.requests()).toHaveLength(3);
  expect(await lab.engine.findTurnWorkflow(turnId)).toBe('missing');
}, 120_000);
