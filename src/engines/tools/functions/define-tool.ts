import { z } from 'zod';
import { failedResult } from '../failed-result.ts';
import { getToolService } from '../tool-services.ts';
import { defineCoreFunction } from './define-core-function.ts';
import { resourceManage } from './resource-manage.ts';
import { toServiceResult } from './resource-service.ts';

const name = 'define_tool';

const input = z.strictObject({
  toolName: z.string().min(1).max(100).describe('The tool; only resource_manage has variants'),
  variant: z.string().min(1).max(100).describe('The type of resource, such as note'),
  op: z.string().min(1).max(100).describe('find, add, update or delete'),
});

/** Gives the exact JSON Schema of the arguments of another tool. */
export const defineTool = defineCoreFunction({
  name,
  description:
    'Gives the exact JSON Schema of the arguments of resource_manage for one type of resource and one operation.',
  input,
  effect: 'read_only',
  run: ({ toolName, variant, op }, call) => {
    if (toolName !== resourceManage.name) {
      const message = `Error: defineTool only supports ${resourceManage.name}, but received ${toolName}.`;
      return failedResult('INVALID_TOOL_ARGUMENTS', message);
    }
    return toServiceResult(name, () =>
      Promise.resolve(
        JSON.stringify(getToolService(call.services, 'resources').describe(variant, op), null, 2),
      ),
    );
  },
});
