import type { ConnectionTools } from '../../domain/discovered-tool.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { ConnectionDependencies } from './connection-dependencies.ts';

/** How many connections one request asks for their tools at the same time. */
export const askedAtOnce = 10;

/** How long the server of a connection may take to list its tools while a caller waits, in milliseconds. */
const defaultAskMs = 8000;

/** The tools of a connection, or why its server did not list them. */
export type AskedConnection =
  { status: 'answered'; offer: ConnectionTools } | { status: 'silent'; error: HoldfastError };

interface Question {
  dependencies: Pick<ConnectionDependencies, 'discovery' | 'logger'>;
  workspaceId: string;
  connectionId: string;
  /** @default 8000 */
  timeoutMs?: number | undefined;
}

/**
 * Asks a connection for its tools. Never throws, so that one server that is down does not fail requests to the others.
 */
export async function askConnection({
  dependencies: { discovery, logger },
  workspaceId,
  connectionId,
  timeoutMs = defaultAskMs,
}: Question): Promise<AskedConnection> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const refusal = new HoldfastError('TOOL_UNREACHABLE', `Its server did not answer within ${timeoutMs} ms.`);
  const timer = setTimeout(() => reject(refusal), timeoutMs);
  try {
    const offer = await Promise.race([discovery.listConnectionTools({ workspaceId, connectionId }), late]);
    return { status: 'answered', offer };
  } catch (error) {
    if (error instanceof HoldfastError) return { status: 'silent', error };
    logger.warn({ err: error, connectionId }, 'the tools of a connection could not be listed');
    const message = 'Its tools could not be listed.';
    return { status: 'silent', error: new HoldfastError('TOOL_UNREACHABLE', message, { cause: error }) };
  } finally {
    clearTimeout(timer);
  }
}
