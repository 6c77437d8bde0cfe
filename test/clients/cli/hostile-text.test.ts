import { expect, test } from 'vitest';
import { runCli, spawnCli, toEnvironment } from '../../labs/run-cli.ts';
import {
  answerWith,
  failWith,
  startScriptedApi,
  streamFrames,
  streamOrPage,
  type Script,
} from '../../servers/scripted-api.ts';
import {
  agentId,
  conversationId,
  toCall,
  toDeltaFrame,
  toMessagePayload,
  toSettledPayload,
  toStoredEvent,
  toStoredFrame,
  toToolCall,
  toTurn,
  turnId,
} from '../../servers/scripted-events.ts';

/** Clears the screen, sets the title of the window, hides what follows, writes over the line, and does so again with C1. */
const hostile = '\u001b[2J\u001b]0;owned\u0007\u001b[8m\b\rhi\u009b2J\u009d0;owned\u009c\u007f';

/** All control characters but newlines and tabs. */
const controls = /[^\P{Cc}\n\t]/u;

const call = { ...toCall(0, `tool${hostile}`), type: 'mcp' as const, arguments: { text: hostile } };
const agent = { id: agentId, name: `Agent${hostile}`, model: 'demo', version: 1, tools: [] };
const error = { code: 'TOOL_FAILED', message: `failed ${hostile}` } as const;

const action = {
  ...{ id: 'action-1', kind: 'question', status: 'pending', tool: 'ask_user', arguments: { text: hostile } },
  ...{ turnId, rootTurnId: turnId, conversationId, toolCallId: 'call-1', target: null },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-08T00:00:00.000Z', remindedAt: null },
  ...{ decidedAt: null, decidedBy: null, reason: null, approvedArguments: null },
  ...{
    question: `Which? ${hostile}`,
    schema: null,
    options: [`red ${hostile}`],
    answer: null,
    isError: null,
  },
  ...{
    server: `shop${hostile}`,
    url: null,
    connections: [`c${hostile}`],
    askedBecause: [`reason ${hostile}`],
  },
  canRemember: true,
};

const asked = {
  ...{ actionId: 'action-1', toolCallId: 'call-0', iteration: 1, index: 0, name: call.name },
  ...{ arguments: call.arguments, expiresAt: action.expiresAt, askedBecause: action.askedBecause },
};

const events = [
  toStoredEvent(1, 'turn.started', { message: hostile }),
  toStoredEvent(2, 'message.created', toMessagePayload(`Let me see. ${hostile}`, { toolCalls: [call] })),
  toStoredEvent(3, 'tool.started', { ...call, attempt: 1 }),
  toStoredEvent(4, 'tool.executed', { ...call, durationMs: 1, resultPreview: hostile }),
  toStoredEvent(5, 'tool.failed', { ...call, durationMs: 1, error }),
  toStoredEvent(6, 'action.requested', {
    ...asked,
    kind: 'question',
    question: `Which? ${hostile}`,
  } as never),
  toStoredEvent(
    7,
    'turn.settled',
    toSettledPayload(`Answer ${hostile}`, {
      outcome: 'failed',
      error: { ...error, details: { internal: hostile } },
    }),
  ),
];

const turn = toTurn({
  ...{
    outcome: 'failed',
    status: 'failed',
    answer: `Answer ${hostile}`,
    error: { ...error, details: { internal: hostile } },
  },
  toolCalls: [toToolCall({ name: call.name, arguments: call.arguments, result: hostile })],
});

const frames = [
  // The sequence is cut in the middle.
  toDeltaFrame([1, 11], 'Let me see. \u001b'),
  toDeltaFrame([1, 12], '[2J\u001b]0;ow'),
  toDeltaFrame([1, 13], `ned\u0007 ${hostile}`),
  ...events.map((event) => toStoredFrame([event.seq, 13], event.type, event.payload as never)),
];

const script: Script = {
  'GET /api/agents': answerWith({ agents: [agent], nextCursor: null }),
  'POST /api/conversations': answerWith({ conversation: { id: conversationId, agentId, title: null } }, 201),
  [`POST /api/conversations/${conversationId}/turns`]: answerWith({ turn: toTurn() }, 202),
  [`GET /api/turns/${turnId}`]: answerWith({ turn }),
  [`GET /api/turns/${turnId}/events`]: streamOrPage(
    streamFrames(frames),
    answerWith({ events, nextCursor: null }),
  ),
  'GET /api/pending-actions': answerWith({ actions: [action], nextCursor: null }),
  'GET /api/turns/broken': failWith(404, {
    code: 'NOT_FOUND',
    message: `No turn ${hostile}`,
    details: { hostile },
  }),
  'GET /health/ready': answerWith({ status: 'ready', worker: true }),
};

async function run(words: string[]) {
  const api = await startScriptedApi(script);
  return runCli(words, { environment: toEnvironment(api) });
}

test.for([
  [
    'the answer, its pieces, the tool, its arguments, result and error of a turn',
    ['chat', 'hi', '--verbose'],
  ],
  ['the timeline of a turn', ['turns', 'show', turnId]],
  ['questions, with their server, options and reasons', ['actions', 'list']],
  ['names of agents', ['agents', 'list']],
  ['events as lines of JSON', ['chat', 'hi', '--json']],
  ['a turn as JSON', ['turns', 'show', turnId, '--json']],
  ['errors of the API', ['turns', 'show', 'broken']],
] as const)('control characters do not reach the terminal in %s', async ([, words]) => {
  const { stdout, stderr } = await run([...words]);
  expect(`${stdout}${stderr}`).not.toMatch(controls);
  expect(`${stdout}${stderr}`).toMatch(/␛\[2J|\\u001b\[2J/);
});

test('JSON says exactly what the API says', async () => {
  const { stdout } = await run(['turns', 'show', turnId, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ turn: { answer: turn.answer } });
});

test('a question at a terminal has no effect on it', async () => {
  const api = await startScriptedApi({
    ...script,
    [`GET /api/turns/${turnId}/events`]: streamFrames(frames.slice(0, 3), 'silence'),
  });
  // `script` gives the program a terminal.
  const live = spawnCli([`"${process.execPath}" src/main/holdfast.ts chat`, '/dev/null'], {
    environment: { ...toEnvironment(api), TERM: 'xterm', SHELL: '/bin/sh' },
    command: ['script', '-qfec'],
  });
  await live.shows('Ctrl-D leaves.');
  live.child.stdin.write('hello\r');
  await live.shows('Type a number or an answer');
  await live.shows('Which? ␛[2J␛]0;owned␇␛[8m␈␍hi');
  live.child.stdin.write('\u0004');
  live.child.kill();
  const { stdout } = await live.ended;
  expect(stdout).not.toContain('\u001b]0;');
  expect(stdout).not.toContain('\u001b[2J');
  expect(stdout).not.toContain('\u001b[8m');
  expect(stdout).not.toMatch(/[\b\u007f-\u009f]/);
});
