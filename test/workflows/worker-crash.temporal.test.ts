import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import type { ToolInput, ToolSettings } from '../../src/domain/tool.ts';
import { eventually } from '../labs/eventually.ts';
import { calculate, mcpTool } from '../labs/lab-tools.ts';
import { createMeeting } from '../labs/meeting.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import type { WorkerProcess } from '../labs/turn-lab-worker.ts';
import { startScriptedServer, textResult, type ScriptedTool } from '../servers/mcp-servers.ts';
import { chainAudit } from '../labs/chain-audit.ts';

/** Starts a server with tools that take effect and then do not answer when they are called for the first time. */
async function startShop() {
  /** Every call that reached a tool, and the effects that calls had: one for each key, as a careful server does it. */
  const reached: { tool: string; key: string | undefined }[] = [];
  const effects = new Map<string, number>();
  const record = (tool: string, key: string | undefined) => {
    reached.push({ tool, key });
    const effect = `${tool} ${tool === 'book' ? (key ?? '-') : reached.length}`;
    if (!effects.has(effect)) effects.set(effect, 1);
  };
  const hangFirst = (tool: string): ScriptedTool => {
    let first = true;
    return ({ idempotencyKey, signal }) => {
      record(tool, idempotencyKey);
      if (!first) return textResult(`${tool} done`);
      first = false;
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(textResult('cut off'))));
    };
  };
  const server = await startScriptedServer({
    book: hangFirst('book'),
    look: hangFirst('look'),
    pay: hangFirst('pay'),
    tip: ({ idempotencyKey }) => {
      record('tip', idempotencyKey);
      return textResult('tip done');
    },
  });
  const countEffects = (tool: string) =>
    [...effects.keys()].filter((effect) => effect.startsWith(`${tool} `)).length;
  return { url: server.url, close: server.close, reached, countEffects };
}

type Shop = Awaited<ReturnType<typeof startShop>>;

/** Limits that do not pass while a test waits for the others, which share its crash. */
const patient = { activityTimeoutMs: 120_000, turnTimeoutMs: 300_000 };

describe.concurrent('when the worker is killed', { timeout: 180_000 }, () => {
  let lab: TurnLab;
  let shops: Record<(typeof executionModes)[number], Shop>;
  let worker: WorkerProcess;
  const crash = createMeeting(async () => {
    await Promise.all([worker.kill(), lab.startWorkerProcess()]);
  });

  beforeAll(async () => {
    const [inspectable, fast] = await Promise.all([startShop(), startShop()]);
    shops = { inspectable, fast };
    const mcpServers = { inspectable: { url: inspectable.url }, fast: { url: fast.url } };
    lab = await startTurnLab({ worker: false, mcpServers });
    worker = await lab.startWorkerProcess();
  });

  afterAll(async () => {
    await lab.close();
    await Promise.all(Object.values(shops).map((shop) => shop.close()));
  });

  function shopTool(execution: keyof typeof shops, name: string, settings?: ToolSettings): ToolInput {
    return { ...mcpTool(name, settings), type: 'mcp', config: { server: execution } };
  }

  test.for(executionModes)(
    'while the model streams in %s execution, another worker finishes the turn and pays for no finished answer again',
    async (execution, context) => {
      const scene = await lab.scene({ execution, tools: [calculate] });
      scene.reply(
        { toolCalls: [{ name: 'calculate', arguments: { expression: '20 + 3' } }] },
        { text: 'The answer to this is twenty-', hang: true },
        { text: 'It is 23.' },
      );
      const turnId = await scene.say('What is 20 + 3?');
      await scene.waitForRequest(2);
      const streamed = await eventually(
        () => lab.readChunks(turnId),
        (chunks) => chunks.some(({ text }) => text?.includes('twenty-')),
      );
      await crash.arrive(context);
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
    },
  );

  test.for(executionModes)(
    'while an answer is repaired in %s execution, another worker repairs it and asks for it no third time',
    async (execution, context) => {
      const scene = await lab.scene({ execution });
      scene.reply({ text: 'About 23.' }, { text: '{"sum"', hang: true }, { text: '{"sum": "23"}' });
      const responseSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
      const turnId = await scene.say('What is 20 + 3?', { responseSchema });
      await scene.waitForRequest(2);
      await crash.arrive(context);
      const turn = await lab.waitForOutcome(turnId);

      expect(turn).toMatchObject({ outcome: 'failed', error: { code: 'ANSWER_INVALID' }, iterations: 2 });
      expect(turn.answer).toBe('{"sum": "23"}');
      // One for the first answer, one that was cut off, one that finished.
      expect(scene.requests()).toHaveLength(3);
      const [, cut, last] = scene.requests();
      expect(last?.body.messages).toEqual(cut?.body.messages);
      const events = await lab.readEvents(scene.conversationId);
      expect(events.filter(({ type }) => type === 'answer.rejected')).toHaveLength(1);
    },
  );

  test.for(executionModes)(
    'while tools run in %s execution, a keyed one takes effect once, a read-only one runs again, any other is left unknown',
    async (execution, context) => {
      const { reached, countEffects } = shops[execution];
      const scene = await lab.scene({
        execution,
        limits: patient,
        tools: [
          shopTool(execution, 'book', { effect: 'keyed' }),
          shopTool(execution, 'look', { effect: 'read_only' }),
          shopTool(execution, 'pay'),
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
      const listReached = () => reached.map(({ tool }) => tool).filter((tool) => tool !== 'tip');
      const turnId = await scene.say('Book room 7 and pay.');
      await eventually(
        async () => ({ reached: listReached(), ledger: await lab.readLedger(turnId) }),
        ({ reached: { length } }) => length === 3,
      );
      await crash.arrive(context);
      const turn = await lab.waitForOutcome(turnId);

      expect(turn.outcome).toBe('completed');
      expect(turn.toolCalls).toMatchObject([
        { name: 'book', status: 'succeeded', attempts: 2, result: 'book done' },
        { name: 'look', status: 'succeeded', attempts: 2, result: 'look done' },
        { name: 'pay', status: 'unknown', attempts: 1, error: { code: 'TOOL_OUTCOME_UNKNOWN' } },
      ]);
      expect(listReached().sort()).toEqual(['book', 'book', 'look', 'look', 'pay']);
      const bookings = reached.filter(({ tool }) => tool === 'book');
      expect(bookings[0]?.key).toBeDefined();
      expect(bookings[0]?.key).toBe(bookings[1]?.key);
      expect([countEffects('book'), countEffects('pay')]).toEqual([1, 1]);
      const told = scene.requests()[1]?.body.messages.at(-1)?.content;
      expect(told).toContain('TOOL_OUTCOME_UNKNOWN');
      expect(told).toContain('It was not repeated');
      const events = await lab.readEvents(scene.conversationId);
      expect(events.filter(({ type }) => type === 'tool.unknown')).toHaveLength(1);
      await chainAudit(lab.database.system);
      const audit = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
        trx('audit_events')
          .where({ subject_id: turn.toolCalls[2]?.id ?? '' })
          .select('type', 'payload'),
      );
      expect(audit).toMatchObject([
        { type: 'tool.failed', payload: { tool_name: 'pay', error: { code: 'TOOL_OUTCOME_UNKNOWN' } } },
      ]);
    },
  );

  test.for(executionModes)(
    'after a tool has ended in %s execution, its stored result is used and nothing runs again',
    async (execution, context) => {
      const { reached } = shops[execution];
      const scene = await lab.scene({ execution, tools: [shopTool(execution, 'tip')] });
      scene.reply(
        { toolCalls: [{ name: 'tip', arguments: { amount: 5 } }] },
        { text: 'Paid, and ', hang: true },
        { text: 'Paid once.' },
      );
      const turnId = await scene.say('Tip five.');
      await scene.waitForRequest(2);
      await crash.arrive(context);
      const turn = await lab.waitForOutcome(turnId);

      expect(turn).toMatchObject({ outcome: 'completed', answer: 'Paid once.' });
      expect(reached.filter(({ tool }) => tool === 'tip')).toHaveLength(1);
      expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 1, result: 'tip done' }]);
    },
  );
});

describe.concurrent('when the worker is asked to stop', { timeout: 180_000 }, () => {
  let lab: TurnLab;
  let worker: WorkerProcess;
  let exitCode: number | null;
  const stop = createMeeting(async () => {
    exitCode = await worker.stop();
    await lab.startWorkerProcess();
  });

  beforeAll(async () => {
    lab = await startTurnLab({ worker: false });
    worker = await lab.startWorkerProcess();
  });

  afterAll(() => lab.close());

  test.for(executionModes)(
    'while the model streams in %s execution, another worker finishes the turn',
    async (execution, context) => {
      const scene = await lab.scene({ execution, limits: { activityTimeoutMs: 12_000 } });
      scene.reply({ text: 'I shall be ', hang: true }, { text: 'I am done.' });
      const turnId = await scene.say('Do it.');
      await scene.waitForRequest(1);
      await eventually(
        () => lab.readChunks(turnId),
        (chunks) => chunks.length > 0,
      );
      await stop.arrive(context);
      expect(exitCode).toBe(0);
      const turn = await lab.waitForOutcome(turnId);

      expect(turn).toMatchObject({ outcome: 'completed', answer: 'I am done.', error: null });
      expect(scene.requests()).toHaveLength(2);
      expect((await lab.readChunks(turnId)).some(({ text }) => text === null)).toBe(true);
    },
  );
});
