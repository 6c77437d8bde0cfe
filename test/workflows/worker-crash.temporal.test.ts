import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import type { ToolInput, ToolSettings } from '../../src/domain/tool.ts';
import { eventually } from '../labs/eventually.ts';
import { mcpTool } from '../labs/lab-tools.ts';
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

  function shopTool(execution: keyof typeof shops, name: string, settings?: ToolSettings): ToolInput {
    return { ...mcpTool(name, settings), type: 'mcp', config: { server: execution } };
  }

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
      const listReached = () => reached.map(({ tool }) => tool);
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
});
