import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ExecutionMode } from '../../src/domain/agent.ts';
import { eventually } from '../labs/eventually.ts';
import { calculate, mcpTool } from '../labs/lab-tools.ts';
import {
  startScriptedServer,
  textResult,
  type ScriptedServer,
  type ScriptedTool,
} from '../servers/mcp-servers.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';

let lab: TurnLab;
let server: ScriptedServer;
/** Every call that reached a tool, and the effects that calls had: one for each key, as a careful server does it. */
const reached: { tool: string; key: string | undefined }[] = [];
const effects = new Map<string, number>();

/** The first call takes effect and then never answers; later ones answer at once. */
function hangFirst(tool: string): ScriptedTool {
  let first = true;
  return ({ idempotencyKey, signal }) => {
    reached.push({ tool, key: idempotencyKey });
    const effect = `${tool} ${tool === 'book' ? (idempotencyKey ?? '-') : reached.length}`;
    if (!effects.has(effect)) effects.set(effect, 1);
    if (!first) return textResult(`${tool} done`);
    first = false;
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(textResult('cut off'))));
  };
}

function countEffects(tool: string): number {
  return [...effects.keys()].filter((effect) => effect.startsWith(`${tool} `)).length;
}

async function startWorker() {
  const worker = await lab.startWorkerProcess();
  onTestFinished(worker.kill);
  return worker;
}

/** What a turn in one way of execution survives; a file for each, so that they run side by side. */
export function describeWorkerCrash(execution: ExecutionMode): void {
  describe(`when the worker is killed in ${execution} execution`, { timeout: 180_000 }, () => {
    beforeAll(async () => {
      server = await startScriptedServer({
        book: hangFirst('book'),
        look: hangFirst('look'),
        pay: hangFirst('pay'),
      });
      lab = await startTurnLab({ worker: false, mcpServers: { lab: { url: server.url } } });
    });

    afterAll(async () => {
      await lab.close();
      await server.close();
    });

    test('while the model streams, another worker finishes the turn and pays for no finished answer again', async () => {
      const scene = await lab.scene({ execution, tools: [calculate] });
      scene.reply(
        { toolCalls: [{ name: 'calculate', arguments: { expression: '20 + 3' } }] },
        { text: 'The answer to this is twenty-', hang: true },
        { text: 'It is 23.' },
      );
      const first = await startWorker();
      const turnId = await scene.say('What is 20 + 3?');
      await scene.waitForRequest(2);
      const streamed = await eventually(
        () => lab.readChunks(turnId),
        (chunks) => chunks.some(({ text }) => text?.includes('twenty-')),
      );
      await Promise.all([first.kill(), startWorker()]);
      const turn = await lab.waitForOutcome(turnId);

      expect(turn).toMatchObject({ outcome: 'completed', answer: 'It is 23.', iterations: 2 });
      // One for the first answer, one that was cut off, one that finished.
      expect(scene.requests()).toHaveLength(3);
      expect(turn.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
      expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
      const chunks = await lab.readChunks(turnId);
      const reset = chunks.findIndex(({ text }) => text === null);
      expect(reset).toBeGreaterThanOrEqual(streamed.length);
      const after = chunks.slice(reset);
      expect(after.every(({ attempt }) => attempt > (streamed[0]?.attempt ?? 0))).toBe(true);
      expect('It is 23.'.startsWith(after.map(({ text }) => text ?? '').join(''))).toBe(true);
      const events = await lab.readEvents(scene.conversationId);
      expect(events.filter(({ type }) => type === 'message.created')).toHaveLength(2);
    });

    test('while tools run, a keyed one takes effect once, a read-only one runs again, any other is left unknown', async () => {
      const scene = await lab.scene({
        execution,
        tools: [
          mcpTool('book', { effect: 'keyed' }),
          mcpTool('look', { effect: 'read_only' }),
          mcpTool('pay'),
        ],
      });
      scene.reply(
        {
          toolCalls: [
            { name: 'book', arguments: { room: 7 } },
            { name: 'look', arguments: {} },
            { name: 'pay', arguments: { amount: 100 } },
          ],
        },
        { text: 'Booked, looked; the payment has to be checked.' },
      );
      const first = await startWorker();
      const turnId = await scene.say('Book room 7 and pay.');
      await eventually(
        () => reached.length,
        (count) => count === 3,
      );
      await Promise.all([first.kill(), startWorker()]);
      const turn = await lab.waitForOutcome(turnId);

      expect(turn.outcome).toBe('completed');
      expect(turn.toolCalls).toMatchObject([
        { name: 'book', status: 'succeeded', attempts: 2, result: 'book done' },
        { name: 'look', status: 'succeeded', attempts: 2, result: 'look done' },
        { name: 'pay', status: 'unknown', attempts: 1, error: { code: 'TOOL_OUTCOME_UNKNOWN' } },
      ]);
      expect(reached.map(({ tool }) => tool).sort()).toEqual(['book', 'book', 'look', 'look', 'pay']);
      const bookings = reached.filter(({ tool }) => tool === 'book');
      expect(bookings[0]?.key).toBeDefined();
      expect(bookings[0]?.key).toBe(bookings[1]?.key);
      expect([countEffects('book'), countEffects('pay')]).toEqual([1, 1]);
      const told = scene.requests()[1]?.body.messages.at(-1)?.content;
      expect(told).toContain('TOOL_OUTCOME_UNKNOWN');
      expect(told).toContain('It was not repeated');
      const events = await lab.readEvents(scene.conversationId);
      expect(events.filter(({ type }) => type === 'tool.unknown')).toHaveLength(1);
      const audit = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
        trx('audit_events')
          .where({ subject_id: turn.toolCalls[2]?.id ?? '' })
          .select('type', 'payload'),
      );
      expect(audit).toMatchObject([
        { type: 'tool.failed', payload: { tool_name: 'pay', error: { code: 'TOOL_OUTCOME_UNKNOWN' } } },
      ]);
    });

    test('and also when it is only asked to stop, another worker finishes the turn', async () => {
      const scene = await lab.scene({ execution, limits: { activityTimeoutMs: 12_000 } });
      scene.reply({ text: 'I shall be ', hang: true }, { text: 'I am done.' });
      const first = await startWorker();
      const turnId = await scene.say('Do it.');
      await scene.waitForRequest(1);
      await eventually(
        () => lab.readChunks(turnId),
        (chunks) => chunks.length > 0,
      );
      expect(await first.stop()).toBe(0);
      await startWorker();
      const turn = await lab.waitForOutcome(turnId);

      expect(turn).toMatchObject({ outcome: 'completed', answer: 'I am done.', error: null });
      expect(scene.requests()).toHaveLength(2);
      expect((await lab.readChunks(turnId)).some(({ text }) => text === null)).toBe(true);
    });

    test('after a tool has ended, its stored result is used and nothing runs again', async () => {
      const scene = await lab.scene({ execution, tools: [mcpTool('pay')] });
      scene.reply(
        { toolCalls: [{ name: 'pay', arguments: { amount: 5 } }] },
        { text: 'Paid, and ', hang: true },
        { text: 'Paid once.' },
      );
      const before = reached.length;
      const first = await startWorker();
      const turnId = await scene.say('Pay five.');
      await scene.waitForRequest(2);
      await Promise.all([first.kill(), startWorker()]);
      const turn = await lab.waitForOutcome(turnId);

      expect(turn).toMatchObject({ outcome: 'completed', answer: 'Paid once.' });
      expect(reached.slice(before).map(({ tool }) => tool)).toEqual(['pay']);
      expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 1, result: 'pay done' }]);
    });
  });
}
