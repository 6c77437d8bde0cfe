import { afterEach, expect, test, vi } from 'vitest';
import { startDirectTurns, type DirectTurns } from '../../../../activities/turn/direct/direct-turns.ts';
import type { AgentTurnInput, BegunTurn } from '../../../../src/contract/turn-steps.ts';
import {
  leaseMs,
  type LostTurn,
  type StoppedTurn,
} from '../../../../src/modules/turns/direct/direct-turn-repository.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';

let direct: DirectTurns | undefined;

afterEach(async () => {
  vi.restoreAllMocks();
  await direct?.close();
});

const toInput = (workspaceId = 'one'): AgentTurnInput => ({
  ...{ workspaceId, turnId: newId(), agentId: 'agent', conversationId: 'conversation', agentName: 'Agent' },
  ...{ messagePreview: '', model: 'model', execution: 'direct', isUnowned: true },
  limits: { activityTimeoutMs: 1, turnTimeoutMs: 1, absenceTimeoutMs: 1, maxIterations: 1 },
});

/** Starts the turns of a worker whose database and Temporal are in memory. */
async function startWorker(places: number) {
  const running = new Map<string, { end: (rest?: BegunTurn) => void; signal: AbortSignal }>();
  const started: AgentTurnInput[] = [];
  const state = {
    lost: [] as LostTurn[],
    stopped: [] as StoppedTurn[],
    startFails: false,
    released: [] as string[],
    claims: Promise.resolve(),
    isOwner: (id: string) => id !== '',
    renewals: 0,
  };
  let offer: (turn: string) => void = () => undefined;
  direct = await startDirectTurns({
    ...{ places, graceMs: 20, renewalMs: 20 },
    repository: {
      claim: async () => {
        await state.claims;
        return true;
      },
      release: (id) => {
        state.released.push(id);
        return Promise.resolve([]);
      },
      renewLease: () => {
        state.renewals += 1;
        return Promise.resolve([]);
      },
      takeLost: ({ taken }) => {
        const lost = state.lost.filter(({ id }) => !taken.includes(id));
        state.lost = [];
        return Promise.resolve(lost);
      },
      listStopped: (ids) => {
        const lost = ids.filter((id) => !state.isOwner(id)).map((id) => ({ id, isLost: true }));
        return Promise.resolve([...lost, ...state.stopped.filter(({ id }) => ids.includes(id))]);
      },
    },
    wakeups: {
      onOffer: (take) => {
        offer = take;
        return () => (offer = () => undefined);
      },
    },
    run: ({ turnId }, signal) =>
      new Promise((resolve) => {
        running.set(turnId, { end: resolve, signal });
        signal.addEventListener('abort', () => resolve({ rest: { iteration: 2 }, timeLeftMs: 5 }));
      }),
    startWorkflow: (input) => {
      if (state.startFails) return Promise.reject(new Error('Temporal is unreachable'));
      started.push(input);
      return Promise.resolve();
    },
    getStart: ({ id }) => Promise.resolve({ ...toInput(), turnId: id }),
    logger: { warn: () => undefined, debug: () => undefined },
  });
  return { direct, running, started, state, offer: (input: AgentTurnInput) => offer(JSON.stringify(input)) };
}

test('a worker runs offered turns up to its places, and starts a workflow for the others', async () => {
  const { offer, running, started } = await startWorker(2);
  const inputs = [toInput('one'), toInput('two'), toInput('three')];
  inputs.forEach(offer);
  await vi.waitFor(() => expect(running.size + started.length).toBe(3), 10_000);
  expect(running.size).toBe(2);
});

test('one workspace gets half of the places', async () => {
  const { direct, running, started } = await startWorker(4);
  const [first, second, third, other] = [toInput(), toInput(), toInput(), toInput('other')];
  for (const input of [first, second, third, other]) await direct.start(input);
  await vi.waitFor(() => expect(running.size).toBe(3), 10_000);
  expect([...running.keys()]).toEqual([first.turnId, second.turnId, other.turnId]);
  expect(started).toMatchObject([{ turnId: third.turnId }]);
});

test('a worker without places runs nothing', async () => {
  const { direct, running, started } = await startWorker(0);
  await direct.start(toInput());
  expect([running.size, started.length]).toEqual([0, 1]);
});

test('a turn that is over frees its place, and its rest gets a workflow', async () => {
  const { direct, running, started, state } = await startWorker(1);
  const [over, waiting] = [toInput(), toInput()];
  await direct.start(over);
  await vi.waitFor(() => expect(running.has(over.turnId)).toBe(true), 10_000);
  running.get(over.turnId)?.end();
  await vi.waitFor(async () => {
    if (!running.has(waiting.turnId)) await direct.start(waiting);
    expect(running.has(waiting.turnId)).toBe(true);
  }, 10_000);
  const begun = { rest: { iteration: 3, waiting: [] }, timeLeftMs: 100 };
  running.get(waiting.turnId)?.end(begun);
  await vi.waitFor(() => expect(state.released).toContain(waiting.turnId), 10_000);
  expect(started.find((input) => input.begun?.rest.iteration === 3)).toMatchObject({
    turnId: waiting.turnId,
  });
});

test('the start of a workflow is repeated until it succeeds', async () => {
  const { direct, running, started, state } = await startWorker(1);
  state.startFails = true;
  const input = toInput();
  await direct.start(input);
  await vi.waitFor(() => expect(running.size).toBe(1), 10_000);
  running.get(input.turnId)?.end({ rest: { iteration: 2 }, timeLeftMs: 7 });
  await vi.waitFor(() => expect(state.renewals).toBeGreaterThan(2), 10_000);
  expect(state.released).toEqual([]);
  state.startFails = false;
  await vi.waitFor(() => expect(state.released).toEqual([input.turnId]), 10_000);
  expect(started).toMatchObject([{ turnId: input.turnId, begun: { timeLeftMs: 7 } }]);
});

test('a lost turn gets a workflow that continues after its stored steps', async () => {
  const { started, state } = await startWorker(1);
  const id = newId();
  state.lost.push({ id, workspaceId: 'one', timeLeftMs: 42 });
  await vi.waitFor(() => expect(state.released).toEqual([id]), 10_000);
  expect(started).toMatchObject([{ turnId: id, begun: { rest: { iteration: 1 }, timeLeftMs: 42 } }]);
});

test('a worker that could not renew its lease in time leaves the turns of others alone for a while', async () => {
  const { started, state } = await startWorker(1);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + leaseMs + 1);
  const { renewals } = state;
  await vi.waitFor(() => expect(state.renewals).toBeGreaterThan(renewals + 1), 10_000);
  state.lost.push({ id: newId(), workspaceId: 'one', timeLeftMs: 42 });
  await vi.waitFor(() => expect(state.renewals).toBeGreaterThan(renewals + 4), 10_000);
  expect(state.lost).toHaveLength(1);
  expect(started).toEqual([]);
});

test('a running turn stops when its worker has lost it, and when it was asked to stop', async () => {
  const { direct, running, started, state } = await startWorker(4);
  const [lost, asked] = [toInput(), toInput()];
  for (const input of [lost, asked]) await direct.start(input);
  await vi.waitFor(() => expect(running.size).toBe(2), 10_000);
  state.stopped.push({ id: lost.turnId, isLost: true }, { id: asked.turnId, isLost: false });
  const reasonOf = ({ turnId }: AgentTurnInput) => running.get(turnId)?.signal.reason as unknown;
  await vi.waitFor(() => expect(reasonOf(lost)).toMatchObject({ message: 'TIMED_OUT' }), 10_000);
  await vi.waitFor(() => expect(reasonOf(asked)).toMatchObject({ message: 'CANCELLED' }), 10_000);
  await vi.waitFor(() => expect(started).toMatchObject([{ turnId: asked.turnId }]), 10_000);
});

test('a turn that the worker has not claimed yet is not lost', async () => {
  const { direct, running, state } = await startWorker(1);
  const claimed = Promise.withResolvers<undefined>();
  state.claims = claimed.promise.then(() => undefined);
  state.isOwner = () => false;
  const input = toInput();
  await direct.start(input);
  const { renewals } = state;
  await vi.waitFor(() => expect(state.renewals).toBeGreaterThan(renewals + 1), 10_000);
  state.isOwner = () => true;
  claimed.resolve(undefined);
  await vi.waitFor(() => expect(running.size).toBe(1), 10_000);
  expect(running.get(input.turnId)?.signal.aborted).toBe(false);
});

test('a worker that stops takes no more turns, and hands over those that do not end', async () => {
  const { direct, offer, running, started } = await startWorker(2);
  const input = toInput();
  await direct.start(input);
  await vi.waitFor(() => expect(running.size).toBe(1), 10_000);
  const closed = direct.close();
  const late = toInput();
  offer(late);
  await direct.start(late);
  expect(started).toMatchObject([{ turnId: late.turnId }]);
  await closed;
  expect(started).toMatchObject([{}, { turnId: input.turnId, begun: { rest: { iteration: 2 } } }]);
  expect(running.get(input.turnId)?.signal.reason).toMatchObject({ message: 'WORKER_SHUTDOWN' });
});
