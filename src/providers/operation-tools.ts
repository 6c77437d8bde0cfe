import { z } from 'zod';
import type { DiscoveredTool } from '../domain/discovered-tool.ts';
import type { FieldError } from '../domain/errors.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Operation, Provider } from './define-provider.ts';

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
export function toOperationTools({ name, operations }: Provider): DiscoveredTool[] {
  return Object.entries(operations).map(([operation, { description, input }]) => ({
    name: toToolName(name, operation),
    description,
    inputSchema: toInputSchema(input),
    executeRef: operation,
  }));
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
export function checkInput({ input }: Operation, toolArguments: JsonObject): CheckedInput {
  const parsed = input.safeParse(toolArguments);
  if (parsed.success) return { ok: true, input: parsed.data as JsonObject };
  return { ok: false, fields: parsed.error.issues.flatMap(toFieldErrors) };
}

function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return [{ field: path.join('.'), message: issue.message }];
  return issue.keys.map((key) => ({ field: [...path, key].join('.'), message: 'is not known' }));
}
