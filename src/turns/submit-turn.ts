import { createTurnRepository } from '../db/turns/turn-repository.ts';
import type { Turn, TurnInput } from '../domain/turn.ts';
import type { AgentTurnInput } from '../../workflows/contract/turn-steps.ts';
import { newId, toTurnId } from '../lib/ids.ts';
import { toRequestHash } from '../lib/request-hash.ts';
import type { RouteContext } from '../http/server/route.ts';

type SubmitContext = Pick<
  RouteContext<unknown, unknown, unknown, unknown>,
  'inWorkspace' | 'dependencies' | 'principal' | 'log' | 'logIds'
>;

/** A turn as it is asked for. */
export interface TurnRequest {
  conversationId: string;
  input: TurnInput;
  idempotencyKey: string | undefined;
}

/** Stores a turn and starts it. From the moment it is stored it is not lost, whatever becomes of the start. */
export async function submitTurn(
  context: SubmitContext,
  { conversationId, input, idempotencyKey }: TurnRequest,
): Promise<{ accepted: boolean; turn: Turn }> {
  const { workspaceId } = context.principal;
  const turnId = idempotencyKey === undefined ? newId() : toTurnId(workspaceId, idempotencyKey);
  context.logIds({ turnId });
  const requestHash = toRequestHash(conversationId, input);
  const { accepted, turn, start } = await context.inWorkspace((trx) =>
    createTurnRepository(trx).submitTurn({ turnId, requestHash, conversationId, input }),
  );
  if (accepted) context.dependencies.notifier.events(conversationId);
  if (start) await startTurn(context, start);
  return { accepted, turn };
}

async function startTurn({ dependencies, log }: SubmitContext, start: AgentTurnInput): Promise<void> {
  try {
    await dependencies.startTurn(start);
  } catch (error) {
    log.warn(
      { err: error, turnId: start.turnId },
      'the turn is stored, but not started; the sweeper will start it',
    );
  }
}
