import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes, type ExecutionMode } from '../../src/domain/agent.ts';
import type { ToolInput } from '../../src/domain/tool.ts';
import { eventually } from '../labs/eventually.ts';
import { calculate, mcpTool } from '../labs/lab-tools.ts';
import { createMeeting } from '../labs/meeting.ts';
import { startTurnLab, type TurnLab } from '../labs/turn-lab.ts';
import type { WorkerProcess } from '../labs/turn-lab-worker.ts';
import { startScriptedServer, textResult } from '../servers/mcp-servers.ts';

/** Starts a server with a tool that takes tips. */
async function startShop() {
  const tips: unknown[] = [];
  const server = await startScriptedServer({
    tip: ({ arguments: { amount } }) => {
      tips.push(amount);
      return textResult('tip done');
    },
  });
  return { url: server.url, close: server.close, tips };
}

function tipTool(execution: ExecutionMode): ToolInput {
  return { ...mcpTool('tip'), type: 'mcp', config: { server: execution } };
}

describe.concurrent('when the worker is killed', { timeout: 180_000 }, () => {
  let lab: TurnLab;
  let shops: Record<ExecutionMode, Awaited<ReturnType<typeof startShop>>>;
  let worker: WorkerProcess;
  const crash = createMeeting(async () => {
    await Promise.all([worker.kill(), lab.startWorkerProcess()]);
  });

  beforeAll(async () => {
    const all = await Promise.all(executionModes.map(async (mode) => [mode, await startShop()] as const));
    shops = Object.fromEntries(all) as typeof shops;
    const mcpServers = Object.fromEntries(all.map(([mode, { url }]) => [mode, { url }]));
    lab = await startTurnLab({ worker: false, mcpServers });
    worker = await lab.startWorkerProcess();
  });

  afterAll(async () => {
    await lab.close();
    await Promise.all(Object.values(shops).map((shop) => shop.close()));
  });

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
    'after a tool has ended in %s execution, its stored result is used and nothing runs again',
    async (execution, context) => {
      const { tips } = shops[execution];
      const scene = await lab.scene({ execution, tools: [tipTool(execution)] });
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
      expect(tips).toHaveLength(1);
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
