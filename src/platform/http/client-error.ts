import type { Socket } from 'node:net';

/** The answers to requests that the parser of Node cannot read, by the code of its error. */
const answers: Partial<Record<string, { status: string; code: string; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '413 Payload Too Large',
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The headers are larger than the 16 KiB that are accepted.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '400 Bad Request',
    code: 'INVALID_INPUT',
    message: 'The request did not arrive in time.',
  },
};

const unreadable = {
  status: '400 Bad Request',
  code: 'INVALID_INPUT',
  message: 'Expected a valid HTTP request.',
};

/** Answers a request that is not valid HTTP, in the same form as every other error. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, message } = answers[error.code ?? ''] ?? unreadable;
  const body = JSON.stringify({ success: false, error: { code, message } });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}
