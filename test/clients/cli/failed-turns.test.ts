import { expect, test } from 'vitest';
import { runCli, toEnvironment } from '../../labs/run-cli.ts';
import { answerWith, startScriptedApi, streamFrames, streamOrPage } from '../../servers/scripted-api.ts';
import {
  agentId,
  conversationId,
  toSettledPayload,
  toStoredEvent,
  toStoredFrame,
  toTurn,
  turnId,
} from '../../servers/scripted-events.ts';

const error = {
  ...({
    code: 'MODEL_UNAVAILABLE',
    message: 'compatible/m could not be reached: the connection was refused',
  } as const),
  details: { internal: 'http://127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9' },
};
const payload = toSettledPayload('The model does not answer.', { outcome: 'failed', error });
const turn = toTurn({ outcome: 'failed', answer: 'The model does not answer.', error });

async function run(...words: string[]) {
  const api = await startScriptedApi({
    'GET /api/agents': answerWith({
      agents: [{ id: agentId, name: 'Demo', model: 'demo' }],
      nextCursor: null,
    }),
    'POST /api/conversations': answerWith({ conversation: { id: conversationId, agentId } }, 201),
    [`POST /api/conversations/${conversationId}/turns`]: answerWith({ turn: toTurn() }, 202),
    [`GET /api/turns/${turnId}`]: answerWith({ turn }),
    [`GET /api/turns/${turnId}/events`]: streamOrPage(
      streamFrames([toStoredFrame([1, 0], 'turn.settled', payload)]),
      answerWith({ events: [toStoredEvent(1, 'turn.settled', payload)], nextCursor: null }),
    ),
  });
  return runCli(words, { environment: toEnvironment(api) });
}

test('a chat exits with 2 when the turn did not complete, and says which server did what', async () => {
  const { code, stdout } = await run('chat', 'hello');
  expect(code).toBe(2);
  expect(stdout.split('\n')).toEqual([
    '! failed (MODEL_UNAVAILABLE): compatible/m could not be reached: the connection was refused',
    '  http://127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9',
    'The model does not answer.',
    '',
  ]);
});

test('the timeline of a failed turn ends with its whole error', async () => {
  const { stdout } = await run('turns', 'show', turnId);
  expect(stdout.split('\n').slice(-6)).toEqual([
    '',
    'compatible/m could not be reached: the connection was refused',
    '  http://127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9',
    '',
    'The model does not answer.',
    '',
  ]);
});
