import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createHoldfastClient } from '../../../src/clients/client/index.ts';
import { eventually } from '../../labs/eventually.ts';
import { spawnCli, startCli, toEnvironment, type StartedCli } from '../../labs/run-cli.ts';
import {
  answerWith,
  failWith,
  startScriptedApi,
  streamFrames,
  type Reply,
} from '../../servers/scripted-api.ts';
import {
  agentId,
  conversationId,
  toDeltaFrame,
  toSettledPayload,
  toStoredFrame,
  toTurn,
  turnId,
} from '../../servers/scripted-events.ts';

const startRoute = `POST /api/conversations/${conversationId}/turns`;
const decideRoute = 'POST /api/pending-actions/action-1/decision';
const cancelRoute = `POST /api/turns/${turnId}/cancel`;

const action = {
  ...{
    id: 'action-1',
    kind: 'approval',
    status: 'pending',
    tool: 'pay',
    arguments: { amount: 5, to: 'Ada' },
  },
  ...{ turnId, rootTurnId: turnId, conversationId, toolCallId: 'call-1' },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-08T00:00:00.000Z', remindedAt: null },
  ...{ decidedAt: null, decidedBy: null, reason: null, approvedArguments: null },
  ...{ question: null, schema: null, options: null, answer: null, isError: null, canRemember: true },
  ...{ server: null, url: null, connections: ['shop'], askedBecause: ['amount > 3'] },
};

const question = {
  ...action,
  ...{ kind: 'question', tool: 'ask_user', question: 'Which colour?', options: ['red', 'blue'] },
};

const started = toStoredFrame([1, 0], 'turn.started', { message: 'hello' });

interface ChatOptions {
  /** The answers to the first decisions. */
  decide?: Reply[];
  open?: OpenChat;
}

type OpenChat = (environment: NodeJS.ProcessEnv) => StartedCli;

const openChat: OpenChat = (environment) => startCli(['chat'], { environment, isTerminal: true });

/** Opens a chat as a process, to which `script` gives a terminal of the system. */
const spawnChat: OpenChat = (environment) => {
  const { child, ...run } = spawnCli([`"${process.execPath}" src/main/holdfast.ts chat`, '/dev/null'], {
    environment: { ...environment, TERM: 'xterm', SHELL: '/bin/sh' },
    command: ['script', '-qfec'],
  });
  return { ...run, type: (text) => void child.stdin.write(text) };
};

/** A chat at a terminal with a turn that waits for an action until it is decided, or the turn cancelled. */
async function chatAtTerminal(waitsFor?: object, { decide = [], open = openChat }: ChatOptions = {}) {
  const stream = Promise.withResolvers<ServerResponse>();
  let isOpen = waitsFor !== undefined;
  const settle = (outcome: 'completed' | 'cancelled') =>
    stream.promise.then((response) => {
      isOpen = false;
      response.end(toStoredFrame([2, 0], 'turn.settled', toSettledPayload('It is over.', { outcome })));
    });
  const last: Reply = (response, request) => {
    answerWith({ action: { ...action, status: 'approved' } })(response, request);
    void settle('completed');
  };
  const api = await startScriptedApi({
    'GET /api/agents': answerWith({
      agents: [{ id: agentId, name: 'Demo', model: 'demo' }],
      nextCursor: null,
    }),
    'POST /api/conversations': answerWith(
      { conversation: { id: conversationId, agentId, title: null } },
      201,
    ),
    'GET /health/ready': answerWith({ status: 'ready', worker: true }),
    'GET /api/pending-actions': (response, request) =>
      answerWith({ actions: isOpen ? [waitsFor] : [], nextCursor: null })(response, request),
    [startRoute]: answerWith({ turn: toTurn() }, 202),
    [`GET /api/turns/${turnId}/events`]: (response, request) => {
      streamFrames([started, toDeltaFrame([1, 11], 'Let me see.')], 'silence')(response, request);
      stream.resolve(response);
    },
    [cancelRoute]: (response, request) => {
      answerWith({ turn: toTurn() }, 202)(response, request);
      void settle('cancelled');
    },
    [decideRoute]: [...decide, last],
  });
  const run = open(toEnvironment(api));
  const { type } = run;
  await run.shows('Ctrl-D leaves.');
  type('hello\r');
  await run.shows('Let me see.');
  return { api, run, type, bodies: (route: string) => api.to(route).map(({ body }) => body) };
}

describe('holdfast chat at a terminal', () => {
  it.each([
    ['in this process', openChat],
    ['at a terminal of the system', spawnChat],
  ])('asks for an approval with readable arguments, and approves, %s', async (_place, open) => {
    const { run, type, bodies } = await chatAtTerminal(action, { open });
    await run.shows('May pay run, with the credentials of shop?');
    await run.shows('"amount": 5');
    await run.shows('amount > 3');
    type('a\r');
    await run.shows('It is over.');
    type('\u0004');
    await run.ended;

    expect(bodies(decideRoute)).toEqual([{ decision: 'approve' }]);
    expect(bodies(startRoute)).toEqual([{ message: 'hello', onBusy: 'steer' }]);
  });

  it('lets a person edit the arguments, and asks again when they are no JSON object or refused', async () => {
    const refuse = failWith(400, { code: 'INVALID_INPUT', message: 'The amount is too high.' });
    const { run, type, bodies } = await chatAtTerminal(action, { decide: [refuse] });
    await run.shows('May pay run, with the credentials of shop?');
    type('e\r');
    await run.shows('{"amount":5,"to":"Ada"}');
    type('\u0015nonsense\r');
    await run.shows('That is no JSON object');
    type('\u0015{"amount":900}\r');
    await run.shows('The amount is too high.');
    type('a\r');
    await run.shows('It is over.');

    expect(bodies(decideRoute)).toEqual([
      { decision: 'approve', arguments: { amount: 900 } },
      { decision: 'approve' },
    ]);
  });

  it('rejects with a reason', async () => {
    const { run, type, bodies } = await chatAtTerminal(action);
    await run.shows('May pay run, with the credentials of shop?');
    type('r\r');
    await run.shows('Why?');
    type('Too much.\r');
    await run.shows('It is over.');

    expect(bodies(decideRoute)).toEqual([{ decision: 'reject', reason: 'Too much.' }]);
  });

  it('remembers an approval for the arguments that stay the same', async () => {
    const { run, type, bodies } = await chatAtTerminal(action);
    await run.shows('May pay run, with the credentials of shop?');
    type('A\r');
    await run.shows('amount to');
    type('\u0015to\r');
    await run.shows('It is over.');

    expect(bodies(decideRoute)).toEqual([
      {
        decision: 'approve',
        remember: {
          tool: 'pay',
          pins: { to: 'Ada' },
          scope: 'conversation',
          until: expect.stringMatching(/Z$/) as string,
        },
      },
    ]);
  });

  it('takes the number of an option as the answer to a question', async () => {
    const { run, type, bodies } = await chatAtTerminal(question);
    await run.shows('2. blue');
    type('2\r');
    await run.shows('It is over.');

    expect(bodies(decideRoute)).toEqual([{ decision: 'answer', answer: 'blue' }]);
  });

  it('shows which server asks, for which fields, and the address that it wants to be opened', async () => {
    const schema = { type: 'object', properties: { seat: { type: 'string' } }, required: ['seat'] };
    const asked = { ...question, options: null, schema, server: 'airline', url: 'https://pay.example.com/' };
    const { run, type, bodies } = await chatAtTerminal(asked);
    await run.shows('airline asks: Which colour?');
    await run.shows('https://pay.example.com/');
    await run.shows('seat');
    type('{ "seat": "7A" }\r');
    await run.shows('It is over.');

    expect(bodies(decideRoute)).toEqual([{ decision: 'answer', answer: { seat: '7A' } }]);
  });

  it('declines a question with a reason', async () => {
    const { run, type, bodies } = await chatAtTerminal(question);
    await run.shows('Which colour?');
    type('/decline None of them.\r');
    await run.shows('It is over.');

    expect(bodies(decideRoute)).toEqual([{ decision: 'reject', reason: 'None of them.' }]);
  });

  it('sends lines while the turn runs, to steer it or to wait for the next one', async () => {
    const { api, type, bodies } = await chatAtTerminal(action);
    type('Something else.\r');
    await eventually(
      () => api.to(startRoute),
      (requests) => requests.length === 2,
    );
    type('/queue And then this.\r');
    await eventually(
      () => api.to(startRoute),
      (requests) => requests.length === 3,
    );

    type('/now Stop, this first.\r');
    await eventually(
      () => api.to(startRoute),
      (requests) => requests.length === 4,
    );

    expect(bodies(startRoute).slice(1)).toEqual([
      { message: 'Something else.', onBusy: 'steer' },
      { message: 'And then this.', onBusy: 'enqueue' },
      { message: 'Stop, this first.', onBusy: 'steer', now: true },
    ]);
    expect(bodies(decideRoute)).toEqual([]);
  });

  it('shows the end of a turn that still runs when a person leaves', async () => {
    const { api, run, type } = await chatAtTerminal(action);
    type('\u0004');
    expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
    await createHoldfastClient(api).turns.cancel(turnId);
    // The rejection of a prompt after the end of the input would fail the test.
    await eventually(
      () => run.output.stdout,
      (text) => text.includes('! cancelled'),
    );
  });

  it('stops the turn when Esc is pressed', async () => {
    const { api, run, type } = await chatAtTerminal();
    type('\u001b');
    await run.shows('! cancelled');

    expect(api.to(cancelRoute)).toHaveLength(1);
  });
});
