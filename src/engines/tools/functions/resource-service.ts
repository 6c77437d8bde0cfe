import { createInvalidInput, HoldfastError, type FieldError } from '../../../domain/errors.ts';
import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import type { ToolResult } from '../../../domain/tool.ts';
import { failedResult, invalidArguments } from '../failed-result.ts';
import type { FunctionRun } from './tool-function.ts';

/** The call for which something is done. */
export type ServiceCall = Pick<FunctionRun, 'workspaceId' | 'agentId' | 'turnId' | 'idempotencyKey'>;

/** A memory to keep. */
export interface MemoryInput {
  content: string;
  scope: 'agent' | 'user' | 'workspace';
  tags: string[];
  ttlSeconds?: number | undefined;
  /** The id of the memory that it takes the place of. */
  replaces?: string | undefined;
}

/** A search in memories. */
export interface MemorySearch {
  /** Without it the newest memories are found. */
  query?: string | undefined;
  /** @default all that the agent may see */
  scope?: MemoryInput['scope'] | undefined;
  tags?: string[] | undefined;
  limit: number;
}

/** The operations of agents on resources. Invalid arguments are thrown as `INVALID_INPUT` with their fields. */
export interface ResourceService {
  /** Finds, adds, updates or deletes, and returns the answer for the model. @throws HoldfastError */
  manage: (toolArguments: JsonObject, call: ServiceCall) => Promise<JsonObject>;
  /** The JSON Schema of the arguments of `manage`. @throws HoldfastError `INVALID_INPUT` */
  describe: (kind: string, op: string) => JsonObject;
  /** @throws HoldfastError `INVALID_INPUT` for the scope `user` when the turn acts for no person, `NOT_FOUND` */
  remember: (memory: MemoryInput, call: ServiceCall) => Promise<JsonObject>;
  /** @throws HoldfastError `INVALID_INPUT` for the scope `user` when the turn acts for no person */
  recall: (search: MemorySearch, call: ServiceCall) => Promise<JsonObject[]>;
}

declare module '../tool-services.ts' {
  interface ToolServices {
    resources: ResourceService;
  }
}

/**
 * Runs a use case for a function. An error that a retry cannot mend becomes a failed result, which says to the model what is
 * wrong with its arguments or why nothing was done.
 */
export async function toServiceResult(name: string, run: () => Promise<string>): Promise<ToolResult> {
  try {
    return { status: 'succeeded', text: await run() };
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.retryable) throw error;
    const fields = error.code === 'INVALID_INPUT' ? toFieldErrors(error.details) : [];
    if (fields.length > 0) return invalidArguments(name, fields);
    return failedResult(error.code, error.message, error.details);
  }
}

function toFieldErrors(details: JsonValue | undefined): FieldError[] {
  return Array.isArray(details) ? (details as FieldError[]) : [];
}

/** The error for one wrong argument. */
export function wrongArgument(field: string, message: string): HoldfastError {
  return createInvalidInput([{ field, message }]);
}
