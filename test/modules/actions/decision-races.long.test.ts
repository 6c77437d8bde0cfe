import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PendingAction } from '../../../src/domain/action.ts';
import { executionModes } from '../../../src/domain/agent.ts';
import type { HoldfastError } from '../../../src/domain/errors.ts';
import { chainAudit } from '../../labs/chain-audit.ts';
import { startLabApi, type LabApi } from '../../labs/lab-api.ts';
import { callPay, payTool } from '../../labs/lab-tools.ts';
import { startTurnLab, type TurnLab } from '../../labs/turn-lab.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';
import type { ChatRequestBody } from '../../servers/scripted-model.ts';

let lab: TurnLab;
let api: LabApi;
let server: ScriptedServer;
const paid: number[] = [];
/** The turns of the amounts, and the amounts that were paid after their turn had ended. */
const turns = new Map<number, string>();
const late: number[] = [];

beforeAll(async () => {
  server = await startScriptedServer({
    pay: async ({ arguments: { amount } }) => {
      paid.push(amount as number);
      const turn = await lab.readTurn(turns.get(amount as number) ?? '');
      if (turn.outcome !== null) late.push(amount as number);
      return textResult('paid');
    },
  });
  lab = await startTurnLab({ mcpServers: { lab: { url: server.url } } });
  api = await startLabApi(lab);
});

afterAll(async () => {
  await api.stop();
  await lab.close();
  await server.close();
});

let lastAmount = 0;

const nextMessage = 'And now?';
const isNext = ({ messages }: ChatRequestBody) => messages.at(-1)?.content === nextMessage;

/** A turn whose call of `pay`, for an amount of its own, waits for an approval. */
async function startWaiting(execution: (typeof executionModes)[number]) {
  const amount = ++lastAmount;
  const scene = await lab.scene({ execution, tools: [payTool()] });
  // A turn that is cancelled may or may not ask for its second answer.
  scene.reply(callPay(amount), { text: 'Done.', isOptional: true, when: (body) => !isNext(body) });
  const turnId = await scene.say('Pay.');
  turns.set(amount, turnId);
  const [action] = await lab.waitForActions(turnId);
  return { amount, scene, turnId, actionId: action?.id ?? '' };
}

test.for(executionModes)(
  'of 200 decisions about a call of an %s turn that come at the same moment one counts',
  async (execution) => {
    const { amount, scene, turnId, actionId } = await startWaiting(execution);
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const decision = index % 2 ? 'approve' : 'reject';
        const path = `/api/pending-actions/${actionId}/decision`;
        return { decision, ...(await api.call<{ action: PendingAction }>('POST', path, { decision })) };
      }),
    );
    const turn = await lab.waitForOutcome(turnId);

    const accepted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    const counted = accepted[0]?.data.action;
    expect(accepted).toHaveLength(100);
    // The call may have begun between two of the answers.
    expect(accepted.map(({ data }) => ({ ...data.action, redeemedAt: null }))).toEqual(
      accepted.map(() => ({ ...counted, redeemedAt: null })),
    );
    expect(new Set(accepted.map(({ decision }) => decision)).size).toBe(1);
    expect(refused.map(({ status, error }) => [status, error.code, error.details])).toEqual(
      refused.map(() => [
        409,
        'ACTION_DECIDED',
        { status: counted?.status, decidedBy: counted?.decidedBy, decidedAt: counted?.decidedAt },
      ]),
    );
    const isApproved = accepted[0]?.decision === 'approve';
    expect(turn.toolCalls).toMatchObject([{ status: isApproved ? 'succeeded' : 'failed' }]);
    expect(paid.filter((one) => one === amount)).toHaveLength(isApproved ? 1 : 0);
    const events = await lab.readEvents(scene.conversationId);
    expect(events.filter(({ type }) => type === 'action.decided')).toHaveLength(1);
    await chainAudit(lab.database.system);
    const audited = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
      trx('audit_events').where({ subject_id: actionId, type: 'action.decided' }).select('type'),
    );
    expect(audited).toHaveLength(1);
  },
);

const rounds = 24;
const lanes = 4;
/** The longest time between a decision and a cancel request, in milliseconds: about as long as a turn takes to stop. */
const apartMs = 300;

type First = 'decision' | 'cancel request';

/** Decides an action and cancels its turn, in this order, with some time between the two. */
async function raceWithCancel(execution: (typeof executionModes)[number], first: First) {
  const { amount, scene, turnId, actionId } = await startWaiting(execution);
  const act = async <Result>(is: First, run: () => Promise<Result>) => {
    if (is !== first) await sleep(Math.random() * apartMs);
    return run();
  };
  const [decision] = await Promise.all([
    act('decision', () => lab.decide(actionId, { decision: 'approve' }).then(toStatus, toCode)),
    act('cancel request', () => lab.cancelTurn(turnId)),
  ]);
  const { outcome, toolCalls, pendingActions } = await lab.waitForOutcome(turnId);
  scene.reply({ text: 'Now.', when: isNext });
  const next = await lab.waitForOutcome(await scene.say(nextMessage));
  return {
    ...{ first, decision, outcome, waiting: pendingActions.length, next: next.answer },
    call: toolCalls[0]?.status ?? '',
    paid: paid.filter((one) => one === amount).length,
    isLate: late.includes(amount),
  };
}

const toStatus = ({ status }: PendingAction): string => status;
const toCode = ({ code }: HoldfastError): string => code;

type Round = Awaited<ReturnType<typeof raceWithCancel>>;

/** Tells whether the parts of a round fit together, whichever of the two came first. */
function fits({ first, decision, outcome, waiting, next, call, paid: times, isLate }: Round): boolean {
  const mayRun = first === 'decision' && decision === 'approved';
  const told = times === 1 ? ['succeeded', 'unknown'] : ['failed', 'unknown'];
  return (
    ['approved', 'ACTION_DECIDED'].includes(decision) &&
    (outcome === 'cancelled' || (outcome === 'completed' && mayRun)) &&
    times <= (mayRun ? 1 : 0) &&
    told.includes(call) &&
    (mayRun || call === 'failed') &&
    waiting === 0 &&
    next === 'Now.' &&
    !isLate
  );
}

test.for(executionModes)(
  'a call of an %s turn that is approved while the turn is cancelled never runs after the turn has ended',
  async (execution) => {
    const firsts = Array.from({ length: rounds }, (_, n): First => (n % 2 ? 'decision' : 'cancel request'));
    const queue = firsts.values();
    const ends: Round[] = [];
    const runLane = async () => {
      for (const first of queue) ends.push(await raceWithCancel(execution, first));
    };
    await Promise.all(Array.from({ length: lanes }, runLane));

    expect(ends).toHaveLength(rounds);
    expect(ends.filter((end) => !fits(end))).toEqual([]);
  },
);
