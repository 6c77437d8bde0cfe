import { toQuery, type Query } from '../../platform/database/statement.ts';
import { findTurnStarter, type TurnStarter } from '../turns/turn-starter.ts';
import { createKeylessActor } from '../../domain/actor.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { ResourceService, ServiceCall } from '../../engines/tools/functions/resource-service.ts';
import type { Scope } from '../../domain/scope.ts';
import { loadActor } from '../workspaces/stored-actor.ts';
import type { AgentCaller } from './agent-caller.ts';
import { manageResource } from './manage-resource.ts';
import { recall, remember } from './memory/memories.ts';
import { toOperationSchema } from './operation-schema.ts';
import type { ResourceDependencies } from './resource-dependencies.ts';
import { getManagedKind, getOperation } from './managed-kinds.ts';

/** Creates the implementations of the functions `resource_manage`, `define_tool`, `remember` and `recall`. */
export function createResourceService(dependencies: ResourceDependencies): ResourceService {
  const identify = (call: ServiceCall) => toAgentCaller(dependencies, call);
  return {
    manage: async (toolArguments, call) => manageResource(dependencies, await identify(call), toolArguments),
    describe: (kind, op): JsonObject =>
      toOperationSchema(getManagedKind(kind, 'variant').kind, getOperation(op)),
    remember: async (memory, call) => remember(dependencies, await identify(call), memory),
    recall: async (search, call) => recall(dependencies, await identify(call), search),
  };
}

async function toAgentCaller(
  { database }: ResourceDependencies,
  { workspaceId, agentId, turnId, idempotencyKey: key }: ServiceCall,
): Promise<AgentCaller> {
  const { starter, scopes } = await database.inWorkspace(workspaceId, async (trx) => {
    const found = await findTurnStarter(trx, turnId);
    return { starter: found, scopes: await readScopes(toQuery(trx), workspaceId, found) };
  });
  const person = starter?.person ?? null;
  const maker = { type: 'agent' as const, person, apiKeyId: null, agentId, turnId };
  return { workspaceId, maker, onlyPerson: person, scopes, agentId, person, key };
}

/**
 * Reads the present scopes of the starter of the topmost turn; none when the key was revoked or has expired. A turn without
 * a starter was started through Temporal.
 */
async function readScopes(
  query: Query,
  workspaceId: string,
  starter: TurnStarter | null,
): Promise<readonly Scope[]> {
  if (!starter) return [];
  if (!starter.startedBy) return createKeylessActor(workspaceId, 'stored').scopes;
  return (await loadActor(query, { workspaceId, ref: starter.startedBy }))?.scopes ?? [];
}
