import type { JsonObject } from '../domain/json.ts';
import type { ToolEffect, ToolResult } from '../domain/tool.ts';
import type { GuardedFetch } from '../egress/guarded-fetch.ts';

/** What a built-in function is given when it runs. Its arguments fit its schema. */
export interface FunctionRun {
  arguments: JsonObject;
  idempotencyKey: string;
  timeoutMs: number;
  signal: AbortSignal;
  fetch: GuardedFetch;
  now: () => Date;
}

/** A function that Holdfast brings along, as a tool of type `function` names it. */
export interface BuiltInFunction {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  schema: JsonObject;
  /** What a call does to the world, where it matters after its arguments. */
  effect: ToolEffect | ((toolArguments: JsonObject | undefined) => ToolEffect);
  run: (run: FunctionRun) => ToolResult | Promise<ToolResult>;
}
