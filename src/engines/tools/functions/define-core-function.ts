import type { z } from 'zod';
import type { JsonObject } from '../../../domain/json.ts';
import type { ToolEffect, ToolOutcome } from '../../../domain/tool.ts';
import { toFieldError, toJsonSchema } from '../../functions/input-schema.ts';
import { invalidArguments } from '../failed-result.ts';
import type { FunctionRun, ToolFunction } from './tool-function.ts';

interface CoreFunction<Input extends z.ZodType> {
  name: string;
  description: string;
  /** The arguments, an object. The model is shown them as JSON Schema. */
  input: Input;
  /** The JSON Schema that models are shown, when `input` is a union: vendors refuse unions at the top of a schema. */
  schema?: JsonObject;
  /** Set for a function that agents get with something else that they have. */
  isImplied?: true;
  effect: ToolEffect | ((toolArguments: JsonObject | undefined) => ToolEffect);
  /** Does the work; `call.services` are those of the program. */
  run: (input: z.output<Input>, call: FunctionRun) => ToolOutcome | Promise<ToolOutcome>;
}

/** Defines a function of Holdfast whose arguments are described by a zod schema. */
export function defineCoreFunction<Input extends z.ZodType>({
  input,
  schema,
  run,
  ...described
}: CoreFunction<Input>): ToolFunction {
  return {
    ...described,
    schema: schema ?? toJsonSchema(described.name, input),
    run: async (call) => {
      const parsed = await input.safeParseAsync(call.arguments);
      if (!parsed.success) return invalidArguments(described.name, parsed.error.issues.map(toFieldError));
      return run(parsed.data, call);
    },
  };
}
