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

/** The reply of a vendor; `destroy` breaks the socket instead, `hang` never answers. */
export type VendorReply =
  { status?: number; headers?: Record<string, string>; body?: unknown } | 'destroy' | 'hang';

export interface VendorServer {
  url: string;
  requests: RecordedRequest[];
  /** Sets the replies to the next requests in order; later ones get the reply of `startVendorServer`. */
  next: (...replies: VendorReply[]) => void;
  /** Discards unused replies of `next`. */
  forget: () => void;
  close: () => Promise<void>;
}

/** Starts a local server in place of a vendor, which records its requests. */
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
