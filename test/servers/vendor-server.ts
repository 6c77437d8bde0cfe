import type { ServerResponse } from 'node:http';
import { startHttpServer } from './http-server.ts';

/** A request as it came in. */
export interface RecordedRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string | undefined>;
  body: string;
}

/** What a vendor answers; `destroy` breaks the connection instead, `hang` never answers. */
export type VendorReply =
  { status?: number; headers?: Record<string, string>; body?: unknown } | 'destroy' | 'hang';

export interface VendorServer {
  url: string;
  requests: RecordedRequest[];
  /** Answers the next requests in this order; after them, what `startVendorServer` was told. */
  next: (...replies: VendorReply[]) => void;
  /** Takes back what `next` was told and nobody asked for. */
  forget: () => void;
  close: () => Promise<void>;
}

/** A local server in the place of a vendor; remembers what it is asked. */
export async function startVendorServer(
  answer: (request: RecordedRequest) => VendorReply = () => ({ body: {} }),
): Promise<VendorServer> {
  const requests: RecordedRequest[] = [];
  const replies: VendorReply[] = [];
  const server = await startHttpServer(({ method = '', url: target = '', headers }, response, body) => {
    const recorded = { method, target, headers: headers as RecordedRequest['headers'], body };
    requests.push(recorded);
    reply(response, replies.shift() ?? answer(recorded));
  });
  return {
    url: server.url,
    requests,
    next: (...more) => void replies.push(...more),
    forget: () => void replies.splice(0),
    close: server.close,
  };
}

function reply(response: ServerResponse, answer: VendorReply): void {
  if (answer === 'hang') return;
  if (answer === 'destroy') {
    response.socket?.destroy();
    return;
  }
  const { status = 200, headers = {}, body } = answer;
  const sent = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { ...(sent === '' ? {} : { 'content-type': 'application/json' }), ...headers });
  response.end(sent);
}
