import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import type { DecisionInput, PendingAction } from '../../../src/domain/action.ts';
import { executionModes } from '../../../src/domain/agent.ts';
import { startTemporalServer } from '../../../src/main/dev/temporal-server.ts';
import { eventually } from '../../labs/eventually.ts';
import { startLabApi, type LabApi } from '../../labs/lab-api.ts';
import { callPay, mcpTool, payTool } from '../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import {
  findFreePort,
  startScriptedServer,
  textResult,
  type ScriptedTool,
} from '../../servers/mcp-servers.ts';

/** How many calls each of the turns asks for; together 100. */
const callsOfTurns = [...Array.from({ length: 20 }, () => 4), ...Array.from({ length: 20 }, () => 1)];

const decisions: DecisionInput[] = [
  { decision: 'approve' },
  { decision: 'approve', actingFor: 'ada@example.com' },
  { decision: 'approve', reason: 'Fine.' },
  { decision: 'reject', reason: 'Too much.' },
];

/** A Temporal server of its own, which keeps its data when it is killed. */
async function startOwnTemporal() {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-lasting-'));
  const port = await findFreePort();
  const start = () =>
    startTemporalServer({
      ...{ binary: inject('temporalBinary'), port, environment: process.env },
      databaseFile: path.join(folder, 'temporal.db'),
      logFile: path.join(folder, 'temporal.log'),
    });
  let running = await start();
  return {
    address: running.address,
    restart: async () => {
      process.kill(running.process.pid, 'SIGKILL');
      await running.process.exited;
      running = await start();
    },
    close: async () => {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An MCP server whose tool `pay` notes the amounts. */
async function startTill() {
  const paid: number[] = [];
  const server = await startScriptedServer({
    pay: ({ arguments: { amount } }) => {
      paid.push(amount as number);
      return textResult(`paid ${String(amount)}`);
    },
  });
  return { ...server, paid };
}

/** Starts the turns, and waits until all of their calls wait; the amounts of the calls are 1 to 100. */
async function startWaitingTurns(lab: TurnLab): Promise<string[]> {
  let amount = 0;
  const started = await Promise.all(
    callsOfTurns.map(async (count, index) => {
      const amounts = Array.from({ length: count }, () => ++amount);
      const execution = executionModes[index % executionModes.length] ?? 'direct';
      const scene = await lab.scene({ execution, tools: [payTool()] });
      scene.reply(callPay(...amounts), { text: 'Done.' });
      const turnId = await scene.say('Pay.');
      await lab.waitForActions(turnId, count);
      return turnId;
    }),
  );
  return started;
}

async function killSessions({ asOwner }: TurnLab): Promise<void> {
  await asOwner(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
}

async function listPending(api: LabApi): Promise<PendingAction[]> {
  const { actions } = await api.ask<{ actions: PendingAction[] }>('GET', '/api/pending-actions?limit=100');
  return actions.toSorted((a, b) => a.id.localeCompare(b.id));
}

/** Decides actions in a random order, several at a time; answers the amounts that were approved. */
async function decideAll(api: LabApi, actions: PendingAction[]): Promise<number[]> {
  const shuffled = actions
    .map((action, index) => ({ action, place: Math.random(), input: decisions[index % 4] as DecisionInput }))
    .toSorted((a, b) => a.place - b.place);
  const approved: number[] = [];
  const queue = shuffled.values();
  const lane = async () => {
    for (const { action, input } of queue) {
      const proposed = action.arguments['amount'] as number;
      // Every fifth one that is approved is changed.
      const changed =
        input.decision === 'approve' && proposed % 5 === 0 ? { arguments: { amount: -proposed } } : {};
      await api.ask('POST', `/api/pending-actions/${action.id}/decision`, { ...input, ...changed });
      if (input.decision === 'approve') approved.push(changed.arguments?.amount ?? proposed);
    }
  };
  await Promise.all(Array.from({ length: 5 }, lane));
  return approved;
}

const ascending = (numbers: number[]) => numbers.toSorted((a, b) => a - b);

test('100 approvals outlive a restart of every process and a deploy, and each call runs once with its own arguments', async () => {
  await using stack = new AsyncDisposableStack();
  const [temporal, till] = await Promise.all([startOwnTemporal(), startTill()]);
  stack.defer(temporal.close);
  stack.defer(till.close);
  const lab = await startTurnLab({
    worker: false,
    temporalAddress: temporal.address,
    mcpServers: { lab: { url: till.url } },
  });
  stack.defer(lab.close);
  const [first, api] = await Promise.all([lab.startWorkerProcess(), startLabApi(lab)]);
  stack.defer(api.stop);
  const turnIds = await startWaitingTurns(lab);
  const before = await listPending(api);

  await Promise.all([first.kill(), api.stop()]);
  await Promise.all([temporal.restart(), killSessions(lab)]);
  const [second, apiAgain] = await Promise.all([lab.startWorkerProcess(), startLabApi(lab)]);
  stack.defer(apiAgain.stop);
  const after = await listPending(apiAgain);
  const [approved] = await Promise.all([
    decideAll(apiAgain, after),
    // A deploy: the old worker ends while decisions arrive.
    lab.startWorkerProcess(),
    second.stop(),
  ]);
  const turns = await Promise.all(turnIds.map((id) => lab.waitForOutcome(id)));

  expect(before.map(({ arguments: input }) => input['amount'])).toHaveLength(100);
  expect(after).toEqual(before);
  expect(turns.map(({ outcome, pendingActions }) => [outcome, pendingActions])).toEqual(
    turns.map(() => ['completed', []]),
  );
  expect(ascending(till.paid)).toEqual(ascending(approved));
  expect(approved).toHaveLength(75);
  const ends = turns.flatMap(({ toolCalls }) =>
    toolCalls.map(({ status, attempts }) => `${status} ${attempts}`),
  );
  expect(Object.groupBy(ends, (end) => end)).toEqual({
    'succeeded 1': Array.from({ length: 75 }, () => 'succeeded 1'),
    'failed 0': Array.from({ length: 25 }, () => 'failed 0'),
  });
}, 180_000);

test('an approved call whose worker dies after it was sent ends by the rules of the ledger, and nobody is asked again', async () => {
  const reached: string[] = [];
  const hangFirst: ScriptedTool = ({ arguments: input, signal }) => {
    const call = JSON.stringify(input);
    reached.push(call);
    if (reached.indexOf(call) < reached.length - 1) return textResult('done');
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(textResult('cut off'))));
  };
  const server = await startScriptedServer({ pay: hangFirst, book: hangFirst });
  const lab = await startTurnLab({ worker: false, mcpServers: { lab: { url: server.url } } });
  onTestFinished(async () => {
    await lab.close();
    await server.close();
  });
  const worker = await lab.startWorkerProcess();
  const firstCalls = 2 * executionModes.length;
  const tools = [payTool(), mcpTool('book', { effect: 'keyed', approval: 'ask' })];
  const begun = await Promise.all(
    executionModes.map(async (execution) => {
      const scene = await lab.scene({ execution, tools });
      const calls = ['pay', 'book'].map((name) => ({ name, arguments: { amount: 5, execution, name } }));
      scene.reply({ toolCalls: calls }, { text: 'Done.' });
      const turnId = await scene.say('Pay and book.');
      for (const { id } of await lab.waitForActions(turnId, 2)) await lab.decide(id, { decision: 'approve' });
      return { scene, turnId };
    }),
  );
  await eventually(
    () => reached.length,
    (count) => count === firstCalls,
  );
  await Promise.all([worker.kill(), lab.startWorkerProcess()]);

  for (const { scene, turnId } of begun) {
    const turn = await lab.waitForOutcome(turnId);
    expect(turn).toMatchObject({ outcome: 'completed', pendingActions: [] });
    expect(turn.toolCalls).toMatchObject([
      { name: 'pay', status: 'unknown', attempts: 1, error: { code: 'TOOL_OUTCOME_UNKNOWN' } },
      { name: 'book', status: 'succeeded', attempts: 2, result: 'done' },
    ]);
    const events = await lab.readEvents(scene.conversationId);
    expect(events.filter(({ type }) => type === 'action.requested')).toHaveLength(2);
  }
  // The keyed calls were sent again, the others were not.
  expect(reached).toHaveLength(firstCalls + executionModes.length);
  expect(reached.slice(firstCalls).every((call) => call.includes('book'))).toBe(true);
}, 120_000);
