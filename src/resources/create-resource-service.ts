import { findTurnStarter } from '../db/turns/turn-starter.ts';
import type { JsonObject } from '../domain/json.ts';
import type { ResourceService, ServiceCall } from '../tools/functions/resource-service.ts';
import type { AgentCaller } from './agent-caller.ts';
import { manageResource } from './manage-resource.ts';
import { recall, remember } from './memories.ts';
import { toOperationSchema } from './operation-schema.ts';
import type { ResourceDependencies } from './resource-dependencies.ts';
import { getManagedKind, getOperation } from './managed-kinds.ts';

/** Creates what the functions `resource_manage`, `define_tool`, `remember` and `recall` do. */
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
  const starter = await database.inWorkspace(workspaceId, (trx) => findTurnStarter(trx, turnId));
  const person = starter?.person ?? null;
  const maker = { type: 'agent' as const, person, apiKeyId: null, agentId, turnId };
  return { workspaceId, maker, onlyPerson: person, agentId, person, key };
}
