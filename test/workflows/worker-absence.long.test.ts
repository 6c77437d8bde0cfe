import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { eventually } from '../labs/eventually.ts';
import { recordRuns } from '../labs/histories.ts';
import { mcpTool } from '../labs/lab-tools.ts';
import { createMeeting } from '../labs/meeting.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import type { WorkerProcess } from '../labs/turn-lab-worker.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../servers/mcp-servers.ts';

/** The time of each turn: no worker is there for longer. Until the worker is killed, both turns need less on any machine. */
const turnTimeoutMs = 20_000;

/** Keys of the refunds that took effect, with how often each was asked for. */
const refunds = new Map<string, number>();

describe.concurrent(
  'when no worker is there for longer than the time of a turn',
  { timeout: 120_000 },
  () => {
    let lab: TurnLab;
    let server: ScriptedServer;
    let worker: WorkerProcess;
    const absence = createMeeting(async () => {
      await worker.kill();
      const until = Date.now() + turnTimeoutMs;
      await eventually(
        () => Date.now(),
        (now) => now > until,
      );
      await lab.startWorkerProcess();
    });

    beforeAll(async () => {
      server = await startScriptedServer({
        refund: ({ idempotencyKey = '', signal }) => {
          const asked = (refunds.get(idempotencyKey) ?? 0) + 1;
          refunds.set(idempotencyKey, asked);
          if (asked > 1) return textResult('refunded');
          return new Promise((resolve) =>
            signal.addEventListener('abort', () => resolve(textResult('cut off'))),
          );
        },
      });
      lab = await startTurnLab({ worker: false, mcpServers: { lab: { url: server.url } } });
      worker = await lab.startWorkerProcess();
    });

    afterAll(async () => {
      await lab.close();
      await server.close();
    });

    test.for(executionModes)(
      'an approved call with a key is repeated in %s execution, and its turn completes',
      async (execution, context) => {
        const scene = await lab.scene({
          execution,
          tools: [mcpTool('refund', { effect: 'keyed', approval: 'ask' })],
          limits: { turnTimeoutMs },
        });
        scene.reply({ toolCalls: [{ name: 'refund', arguments: {} }] }, { text: 'It was refunded.' });
        const turnId = await scene.say('Refund it.');
        const [action] = await lab.waitForActions(turnId);
        await lab.decide(action?.id ?? '', { decision: 'approve' });
        const [call] = await lab.readLedger(turnId);
        const key = call?.key ?? '';
        await eventually(
          () => refunds.get(key),
          (asked) => asked === 1,
        );
        await absence.arrive(context);
        const turn = await lab.waitForOutcome(turnId);

        expect(turn).toMatchObject({ outcome: 'completed', answer: 'It was refunded.', iterations: 2 });
        expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 2, result: 'refunded' }]);
        expect(refunds.get(key)).toBe(2);
        await recordRuns(lab, `absent-worker-${execution}`, turnId);
      },
    );
  },
);
