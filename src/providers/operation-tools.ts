import { z } from 'zod';
import type { DiscoveredTool } from '../domain/discovered-tool.ts';
import type { FieldError } from '../domain/errors.ts';
import type { JsonObject } from '../domain/json.ts';
import { parseTemplate } from './build-request.ts';
import type { Operation } from './define-operation.ts';
import type { Provider } from './define-provider.ts';

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
function toShownInput({ input, paging }: Operation): z.ZodObject {
  return paging ? input.extend(pagingInputs) : input;
}

/** The input as calls may have it: tools that were added earlier may name the vendor's own fields of paging. */
function toTakenInput(operation: Operation): z.ZodObject {
  const { paging, input } = operation;
  if (!paging) return input;
  const own: [string, z.ZodType][] = [
    ...(paging.size ? [[paging.size.field, z.int().min(1).max(paging.size.max)] as const] : []),
    ...(paging.style === 'cursor' ? [[paging.field, z.string()] as const] : []),
    ...(paging.style === 'page' || paging.style === 'offset'
      ? [[paging.field, z.int().min(0)] as const]
      : []),
  ].flatMap(([name, schema]) => (name.includes('.') ? [] : [[name, schema.optional()]]));
  return toShownInput(operation).extend({ ...Object.fromEntries(own), ...input.shape });
}

function toInputSchema(input: z.ZodObject): JsonObject {
  return z.toJSONSchema(input, {
    target: 'draft-2020-12',
    io: 'input',
    // The format is shorter for the model; zod checks the pattern anyway.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  }) as JsonObject;
}

type CheckedInput = { ok: true; input: JsonObject } | { ok: false; fields: FieldError[] };

/** Checks the arguments of a call, and sets the defaults. */
export function checkInput(operation: Operation, toolArguments: JsonObject): CheckedInput {
  const parsed = toTakenInput(operation).safeParse(toolArguments);
  if (parsed.success) return { ok: true, input: parsed.data as JsonObject };
  return { ok: false, fields: parsed.error.issues.flatMap(toFieldErrors) };
}

function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return [{ field: path.join('.'), message: issue.message }];
  return issue.keys.map((key) => ({ field: [...path, key].join('.'), message: 'is not known' }));
}
