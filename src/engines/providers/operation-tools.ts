import { z } from 'zod';
import type { DiscoveredTool } from '../../domain/discovered-tool.ts';
import type { JsonObject } from '../../domain/json.ts';
import { parseTemplate } from './build-request.ts';
import type { Operation } from './define-operation.ts';
import type { Provider } from './define-provider.ts';
import { checkAgainst, toInputSchema, type OperationInput } from './operation-input.ts';

/** An operation as a tool, with the annotations of MCP that say what its calls do. */
export interface OperationTool extends DiscoveredTool {
  annotations: { readOnlyHint: boolean; idempotentHint: boolean; destructiveHint: boolean };
}

/** Returns the name of an operation's tool, such as `slack_sendMessage`. */
function toToolName(provider: string, operation: string): string {
  return `${provider}_${operation}`;
}

/** Returns the name of a tool's operation: `sendMessage` for `slack_sendMessage`. */
export function toOperationName(provider: string, toolName: string): string {
  const prefix = toToolName(provider, '');
  return toolName.startsWith(prefix) ? toolName.slice(prefix.length) : toolName;
}

/** Maps the operations of a provider to tools. Fields with a default are optional. */
export function toOperationTools({ name, operations }: Provider): OperationTool[] {
  return Object.entries(operations).map(([operationName, operation]) => ({
    name: toToolName(name, operationName),
    description: operation.description,
    inputSchema: toInputSchema(toShownInput(operation)),
    executeRef: operationName,
    annotations: toAnnotations(operation),
  }));
}

function toAnnotations({ effect, request, destructive }: Operation): OperationTool['annotations'] {
  const isDelete = typeof request === 'string' && parseTemplate(request).method === 'DELETE';
  return {
    readOnlyHint: effect === 'read_only',
    idempotentHint: effect === 'idempotent',
    destructiveHint: destructive ?? isDelete,
  };
}

/** The inputs that every list with pages has. */
const pagingInputs = {
  max_items: z.int().min(1).max(1000).describe('Stop after this many items').optional(),
  continue_from: z.string().min(1).max(4000).describe('continue_from of the answer before').optional(),
};

/** The input as tools show it. */
function toShownInput({ input, paging }: Operation): OperationInput {
  return paging && input instanceof z.ZodObject ? input.extend(pagingInputs) : input;
}

/** The input as calls may have it: tools that were added earlier may name the vendor's own fields of paging. */
function toTakenInput({ paging, input }: Operation): OperationInput {
  if (!paging || !(input instanceof z.ZodObject)) return input;
  const own: [string, z.ZodType][] = [
    ...(paging.size ? [[paging.size.field, z.int().min(1).max(paging.size.max)] as const] : []),
    ...(paging.style === 'cursor' ? [[paging.field, z.string()] as const] : []),
    ...(paging.style === 'page' || paging.style === 'offset'
      ? [[paging.field, z.int().min(0)] as const]
      : []),
  ].flatMap(([name, schema]) => (name.includes('.') ? [] : [[name, schema.optional()]]));
  const shape = input.shape as Record<string, z.ZodType>;
  return input.extend({ ...pagingInputs, ...Object.fromEntries(own), ...shape });
}

/** Checks the arguments of a call, and sets the defaults. */
export function checkInput(operation: Operation, toolArguments: JsonObject) {
  return checkAgainst(toTakenInput(operation), toolArguments);
}
