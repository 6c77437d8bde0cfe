import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHoldfastClient } from '../../../src/clients/client/create-holdfast-client.ts';
import { eventually } from '../../labs/eventually.ts';
import { startLabApi } from '../../labs/lab-api.ts';
import { mcpTool } from '../../labs/lab-tools.ts';
import { expectNothingDropped, lostCalls } from '../../labs/lost-calls.ts';
import { turnGrounds } from '../../labs/turn-grounds.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import type { WorkerProcess } from '../../labs/turn-lab-worker.ts';
import { startGatedShop, type GatedShop } from '../../servers/gated-shop.ts';

/** No call and no turn ends because the machine is slow. */
const timeoutMs = 300_000;
const limits = { activityTimeoutMs: timeoutMs, turnTimeoutMs: 3 * timeoutMs };

const tools = [
  mcpTool('book', { effect: 'keyed', timeoutMs }),
  mcpTool('look', { effect: 'read_only', timeoutMs }),
  mcpTool('pay', { effect: 'unsafe', timeoutMs }),
];

describe.each(turnGrounds)('in $ground', { timeout: 600_000 }, ({ execution, environment }) => {
  const mostAttempts = execution === 'inspectable' ? 3 : 2;
  let lab: TurnLab;
  let shop: GatedShop;
  let first: WorkerProcess;

  beforeEach(async () => {
    shop = await startGatedShop();
    lab = await startTurnLab({ worker: false, mcpServers: { lab: { url: shop.url } }, environment });
    first = await lab.startWorkerProcess();
  });

  afterEach(async () => {
    shop.open();
    await lab.close();
    await shop.close();
  });

  /** Starts a turn whose three calls run in the first worker, and a second worker. */
  async function startCalls() {
    const scene = await lab.scene({ execution, tools, limits });
    scene.reply({ toolCalls: lostCalls }, { text: 'Done.' });
    const turnId = await scene.say('Book, look and pay.');
    await shop.waitForCalls(3);
    await lab.startWorkerProcess();
    return { scene, turnId };
  }

  const untilSentAgain = (turnId: string) =>
    Promise.race([shop.waitForCalls(5), lab.waitUntilSettled(turnId)]);

  test('a worker that is asked to stop drops none of its calls', async () => {
    const { turnId } = await startCalls();
    const stopping = first.stop();
    await untilSentAgain(turnId);
    shop.open();
    await expectNothingDropped({ lab, shop, mostAttempts }, turnId);
    expect(await stopping).toBe(0);
  });

  test('a worker that was frozen ends none of its calls that another one has made again', async () => {
    const { scene, turnId } = await startCalls();
    process.kill(first.pid, 'SIGSTOP');
    await untilSentAgain(turnId);
    // Its own calls are answered first.
    shop.open(3);
    process.kill(first.pid, 'SIGCONT');
    await shop.waitForAnswers(3);
    shop.open();
    await expectNothingDropped({ lab, shop, mostAttempts }, turnId);
    expect(scene.requests()).toHaveLength(2);
  });

  test('the pieces that a reader has are those of the message when a worker was frozen that streamed', async () => {
    const api = await startLabApi(lab);
    const client = createHoldfastClient({ baseUrl: api.url, apiKey: api.key });
    const scene = await lab.scene({ execution, limits });
    const thawed = Promise.withResolvers<undefined>();
    const until = (sent: number) => (sent === 3 ? thawed.promise : undefined);
    scene.reply(
      { text: 'These words are lost with it', chunkDelayMs: 5, afterChunk: until },
      { text: 'Once upon a time there was another one', chunkDelayMs: 5, afterChunk: until },
    );
    const turnId = await scene.say('Tell me.');
    const seen = { pieces: '', compared: [] as [string, string][] };
    const reading = (async () => {
      for await (const event of client.turns.stream(turnId)) {
        if (event.type === 'stream.reset') seen.pieces = '';
        if (event.type === 'text.delta') seen.pieces += event.text;
        if (event.type === 'message.created') seen.compared.push([seen.pieces, event.payload.text]);
      }
    })();
    await eventually(
      () => seen.pieces,
      (text) => text.includes('These words'),
    );
    process.kill(first.pid, 'SIGSTOP');
    await lab.startWorkerProcess();
    await eventually(
      () => seen.pieces,
      (text) => text.includes('Once upon'),
    );
    process.kill(first.pid, 'SIGCONT');
    thawed.resolve(undefined);
    await lab.waitForOutcome(turnId);
    await reading;
    await api.stop();

    expect(seen.compared).toEqual([
      ['Once upon a time there was another one', 'Once upon a time there was another one'],
    ]);
  });
});
