import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { listenOnLoopback, type LoopbackServer } from '../../faults/json-server.ts';
import type { StreamingPeer, TurnReader } from './contract.ts';

/**
 * Serves the part of Holdfast's HTTP API that the clients of the load use, so that all rows have the same clients: a
 * conversation, its turns and its events. A conversation has one reader. Calls `onFailure` with the error of a turn.
 */
export function serveConversations(
  runTurn: StreamingPeer['runTurn'],
  onFailure: (error: unknown) => void,
): Promise<LoopbackServer> {
  const streams = new Map<string, ServerResponse>();
  const start = (conversationId: string, message: string): void => {
    const send = (event: string, data: object): void => {
      streams.get(conversationId)?.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    };
    runTurn({ conversationId, message }, toReader(send)).then(
      () => send('turn.settled', { outcome: 'completed' }),
      (error: unknown) => {
        onFailure(error);
        send('turn.settled', { outcome: 'failed' });
      },
    );
  };
  const server = createServer((request, response) => {
    const [, , , conversationId = randomUUID(), resource] = (request.url ?? '').split('/');
    if (resource === 'events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      streams.set(conversationId, response);
      response.on('close', () => streams.delete(conversationId));
      return;
    }
    json(request).then(
      (body) => {
        if (resource === 'turns') start(conversationId, (body as { message: string }).message);
        answer(response, 201, { success: true, data: { conversation: { id: conversationId } } });
      },
      (error: unknown) => answer(response, 400, { success: false, error: String(error) }),
    );
  });
  return listenOnLoopback(server);
}

function toReader(send: (event: string, data: object) => void): TurnReader {
  return {
    piece: (text) => send('text.delta', { text }),
    message: (text) => send('message.created', { text }),
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
