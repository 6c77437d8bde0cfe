import { HoldfastError } from '../../../domain/errors.ts';
import { isJsonObject } from '../../../domain/json.ts';
import { createRoutineError } from '../../../domain/routine-error.ts';
import { actAgain } from '../../workspaces/stored-actor.ts';
import type { RoutineCallInput } from '../routine-contract.ts';
import type { UnitOfWork } from '../../../platform/database/unit-of-work.ts';
import type { RoutineDependencies } from '../routine-dependencies.ts';
import type { RoutineRepositories } from '../routine-activity-dependencies.ts';

type AskedCall = Pick<RoutineCallInput, 'workspaceId' | 'runId' | 'arguments' | 'secrets'>;

interface ConnectionGuard {
  database: Pick<RoutineDependencies['database'], 'pipelined'>;
  pipelined: UnitOfWork<Pick<RoutineRepositories, 'routineCalls'>>;
}

/**
 * Checks before a request with a connection that the author of the document still may use connections.
 * @throws RoutineError of type `authorization` with the title `RIGHTS_LOST`
 */
export async function authorizeConnections(
  { pipelined, database }: ConnectionGuard,
  call: AskedCall,
): Promise<void> {
  if (!usesConnection(call)) return;
  const { workspaceId, runId } = call;
  const author = await pipelined(workspaceId, ({ routineCalls }) => routineCalls.findAuthor(runId));
  const maker = author && { apiKeyId: author.apiKeyId, actingFor: author.person };
  const asked = { workspaceId, makers: [maker], rights: ['connections.use'] as const, work: 'the routine' };
  await database
    .pipelined(workspaceId, (query) => actAgain(query, asked))
    .catch((error: unknown) => {
      if (!(error instanceof HoldfastError) || error.code !== 'RIGHTS_LOST') throw error;
      throw createRoutineError('authorization', error.message, { title: error.code });
    });
}

function usesConnection({ arguments: given, secrets = [] }: AskedCall): boolean {
  const { endpoint, document } = given;
  const source = isJsonObject(document) ? document.endpoint : undefined;
  const holders = [given, endpoint, source];
  return (
    secrets.length > 0 ||
    holders.some((holder) => isJsonObject(holder) && holder.authentication !== undefined)
  );
}
