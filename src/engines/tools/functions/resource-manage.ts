import { z } from 'zod';
import type { JsonObject } from '../../../domain/json.ts';
import { resourceOperations } from '../../../domain/resource.ts';
import { getToolService } from '../tool-services.ts';
import { defineCoreFunction } from './define-core-function.ts';
import { toServiceResult } from './resource-service.ts';

const name = 'resource_manage';

/** Says roughly what the arguments are; the schema of each kind and operation is exact, and comes from `define_tool`. */
const input = z.looseObject({ op: z.enum(resourceOperations), resource_type: z.string() });

const schema: JsonObject = {
  type: 'object',
  properties: {
    op: { type: 'string', enum: [...resourceOperations] },
    resource_type: {
      type: 'string',
      description:
        'Such as note, prompt, standard, project, team, agent, routine, single_step_routine or api',
    },
    id: {
      type: 'string',
      description: 'update, delete: the id of the resource. find: gives this resource whole',
    },
    query: { type: 'string', description: 'find: words, phrases in quotes, or, and -word' },
    filters: { type: 'object', description: 'find: narrows the search' },
    limit: { type: 'integer', description: 'find: the most results' },
    cursor: { type: 'string', description: 'find: nextCursor of the page before' },
    attributes: { type: 'object', description: 'add: all attributes. update: those that change' },
    version: { type: 'integer', description: 'update, delete: the version that you have seen' },
  },
  required: ['op', 'resource_type'],
  additionalProperties: false,
};

/** Finds, adds, updates and deletes resources of the workspace. */
export const resourceManage = defineCoreFunction({
  name,
  description:
    'Finds, adds, updates and deletes what the workspace keeps: notes, prompts, standards (JSON Schemas), projects, ' +
    'teams, agents, routines and API descriptions. Call define_tool first for the exact arguments of an operation on one type.',
  input,
  schema,
  effect: (toolArguments) => (toolArguments?.op === 'find' ? 'read_only' : 'keyed'),
  run: (_input, call) =>
    toServiceResult(name, async () => {
      const resources = getToolService(call.services, 'resources');
      return JSON.stringify(await resources.manage(call.arguments, call));
    }),
});

/** Whether a call of {@link resourceManage} destroys something. */
export function deletesResource(toolArguments: JsonObject): boolean {
  return toolArguments.op === 'delete';
}
