const problems: [codes: RegExp, problem: string][] = [
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'its name cannot be resolved'],
  [/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'it did not accept a connection in time'],
  [/^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/, 'it did not answer in time'],
  [/^E(?:HOST|NET)(?:UNREACH|DOWN)$/, 'there is no way to it in the network'],
  [
    /^(?:ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE|UND_ERR_SOCKET)$/,
    'the connection was closed',
  ],
  [/CERT|SELF_SIGNED|^UNABLE_TO_|^ERR_TLS_|^ERR_SSL_/, 'its certificate is not accepted'],
  [/^ENOENT$|^EACCES$/, 'its command cannot be started'],
];

/**
 * Says in a few words why a request got no answer, without an address; null when the error is not one of the network.
 * Messages of Node name the address that a host resolves to.
 */
export function describeNetworkError(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as NodeJS.ErrnoException;
  const known = typeof code === 'string' && problems.find(([codes]) => codes.test(code));
  if (known) return known[1];
  const causes: unknown[] = error instanceof AggregateError ? error.errors : [];
  for (const cause of [...causes, error.cause]) {
    const problem = describeNetworkError(cause);
    if (problem !== null) return problem;
  }
  return null;
}

const mostCauses = 5;

/** Joins the messages of an error and its causes, for operators: only the last one may say what happened. */
export function joinMessages(error: unknown): string {
  const messages: string[] = [];
  for (let cause = error; cause instanceof Error && messages.length < mostCauses; cause = cause.cause) {
    const all = cause instanceof AggregateError ? (cause.errors as unknown[]).filter(isError) : [cause];
    const message = all.map((one) => one.message).join(', ');
    if (message !== '' && !messages.some((one) => one.includes(message))) messages.push(message);
  }
  return messages.join(': ');
}

function isError(value: unknown): value is Error {
  return value instanceof Error;
}
