import type { JsonObject } from '../../../domain/json.ts';
import type { ToolEffect, ToolOutcome, ToolRun } from '../../../domain/tool.ts';
import type { GuardedFetch } from '../../../platform/egress/guarded-fetch.ts';
import type { ToolServices } from '../tool-services.ts';

/** The input of a function. Its arguments fit its schema. */
export interface FunctionRun extends ToolRun<'function'> {
  fetch: GuardedFetch;
  now: () => Date;
  /** Read one with `getToolService`, which says when the program does not have it. */
  services: Partial<ToolServices>;
}

/** A function as a tool of type `function` runs it, whether Holdfast brings it along or its operator wrote it. */
export interface ToolFunction {
  name: string;
  /** Further names that it is found by. */
  aliases?: readonly string[];
  description: string;
  /** JSON Schema of its arguments. */
  schema: JsonObject;
  /** The effect of a call; a function of its arguments when it depends on them. */
  effect: ToolEffect | ((toolArguments: JsonObject | undefined) => ToolEffect);
  run: (run: FunctionRun) => ToolOutcome | Promise<ToolOutcome>;
  /** Set for a function that routines call, and no tool of an agent. */
  forRoutines?: true;
  /** Set for a function that agents get with something else that they have: no caller gives it to them as a tool. */
  isImplied?: true;
  /** The file that a function of the operator comes from. */
  source?: string;
}
