import { expect, it } from 'vitest';
import { runCli, toEnvironment } from '../../labs/run-cli.ts';
import { answerWith, startScriptedApi, type Reply } from '../../servers/scripted-api.ts';
import {
  agentId,
  conversationId,
  toMessagePayload,
  toSettledPayload,
  toStoredFrame,
  toTurn,
  turnId,
} from '../../servers/scripted-events.ts';

const eventsRoute = `GET /api/turns/${turnId}/events`;

it('the chat says when no worker runs, and when one runs again', async () => {
  const restarted = Promise.withResolvers<null>();
  const streamLater: Reply = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(toStoredFrame([1, 0], 'turn.started', { message: 'hello' }));
    void restarted.promise.then(() => {
      response.write(toStoredFrame([2, 0], 'message.created', toMessagePayload('Hello there.')));
      response.end(toStoredFrame([3, 0], 'turn.settled', toSettledPayload('Hello there.')));
    });
  };
  let asked = 0;
  const readiness: Reply = (response, request) => {
    asked += 1;
    answerWith({ status: 'ready', worker: asked > 2 })(response, request);
    // The chat prints its line before the next event comes.
    if (asked > 2) setTimeout(() => restarted.resolve(null), 300);
  };
  const api = await startScriptedApi({
    'GET /api/agents': answerWith({ agents: [{ id: agentId, name: 'Demo agent' }], nextCursor: null }),
    'POST /api/conversations': answerWith({ conversation: { id: conversationId, agentId } }, 201),
    [`POST /api/conversations/${conversationId}/turns`]: answerWith({ turn: toTurn() }, 202),
    [eventsRoute]: streamLater,
    'GET /api/health/ready': readiness,
  });
  const { code, stdout } = await runCli(['chat', '--once', 'hello'], { environment: toEnvironment(api) });
  expect({ code, lines: stdout.trimEnd().split('\n') }).toEqual({
    code: 0,
    lines: [
      '(no worker runs: the turn waits until one is started, for example with "npx holdfast worker")',
      '(a worker runs again)',
      'Hello there.',
    ],
  });
});
