import { z } from 'zod';
import { checkInput } from '../../domain/check-input.ts';
import type { FieldError } from '../../domain/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { toolEffects, type ToolEffect } from '../../domain/tool.ts';
import { toDefinitionError, toFieldError, toJsonSchema } from './input-schema.ts';

const functionMark = Symbol.for('holdfast.function');

/** The input of a function when a model calls it. */
export interface FunctionCall<Input = JsonObject, Secret extends string = string> {
  /** The arguments, checked, with defaults and transforms applied. */
  input: Input;
  /** Aborted when the turn is cancelled or its time is over. A result that comes later is ignored. */
  signal: AbortSignal;
  /** The secrets that the function names, from `HOLDFAST_SECRET_<NAME>` in the worker's environment. */
  secrets: Readonly<Record<Secret, string>>;
  /** The same for every attempt of one call. Pass it to services that accept an idempotency key. */
  idempotencyKey: string;
  workspaceId: string;
  conversationId: string;
  turnId: string;
  /** Shows the progress of a long call in the Temporal Web UI. */
  onProgress: (detail?: JsonValue) => void;
}

/** The parts of a function. */
export interface FunctionOptions<Input extends z.ZodObject, Secret extends string> {
  /** Letters, digits, `_`, `-`, `.`, `:` and `/`; no other function may have it. */
  name: string;
  /** Says for the model what the function does and when to use it. */
  description: string;
  /** The arguments. The model is shown them as JSON Schema; arguments that it does not name are refused. */
  input: Input;
  /**
   * Does the work and returns a text or any JSON value. An error that it throws means that the call failed without an
   * effect, and the model gets its message. `OutcomeUnknownError` means that the effect is unknown, and so do the
   * errors of requests that broke after they were sent.
   */
  run: (call: FunctionCall<z.output<Input>, Secret>) => unknown;
  /**
   * The effect of a call: `read_only`, `idempotent` and `keyed` functions (those that pass on
   * `idempotencyKey`) are run again when a worker dies in the midst of a call, `unsafe` ones never.
   * @default 'unsafe'
   */
  effect?: ToolEffect;
  /** After this many milliseconds the signal is aborted and the call ends. @default the agent's limit for a step */
  timeoutMs?: number;
  /** Names such as `STRIPE_KEY`, which stands in `HOLDFAST_SECRET_STRIPE_KEY`. */
  secrets?: readonly Secret[];
}

/** The outcome of a call that threw nothing. */
export type FunctionAnswer = { ran: true; value: unknown } | { ran: false; fields: FieldError[] };

/** A function that Holdfast can load and run. */
export interface FunctionDefinition {
  readonly [functionMark]: true;
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly schema: JsonObject;
  readonly effect: ToolEffect;
  readonly timeoutMs: number | undefined;
  readonly secrets: readonly string[];
  /** Checks the arguments and runs it. */
  readonly call: (call: FunctionCall) => Promise<FunctionAnswer>;
}

const optionsSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9_.:/-]{1,100}$/, 'expected 1 to 100 letters, digits, "_", "-", ".", ":" and "/"'),
  description: z.string().min(1, 'expected a description for the model').max(4000),
  effect: z.enum(toolEffects).default('unsafe'),
  timeoutMs: z.int().min(1).max(3_600_000).optional(),
  secrets: z.array(z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'expected a name such as "STRIPE_KEY"')).default([]),
  input: z.custom((value) => isJsonObject(value) && '_zod' in value, 'expected z.object(…)'),
  run: z.custom((value) => typeof value === 'function', 'expected a function'),
});

/**
 * Defines a function that agents can call as a tool. A worker loads every function that a file of the folder
 * `functions/` exports.
 * @throws TypeError that says what is wrong with the definition
 */
export function defineFunction<Input extends z.ZodObject, Secret extends string = never>(
  options: FunctionOptions<Input, Secret>,
): FunctionDefinition {
  const checked = checkInput(optionsSchema, options);
  if (!checked.success) {
    const problems = checked.errors.map(({ field, message }) => `${field}: ${message}`);
    throw toDefinitionError(options.name, problems.join('; '));
  }
  const { name, description, effect, timeoutMs, secrets } = checked.value;
  return {
    [functionMark]: true,
    name,
    description,
    schema: toJsonSchema(name, options.input),
    effect,
    timeoutMs,
    secrets,
    call: async (call) => {
      const parsed = await options.input.safeParseAsync(call.input);
      if (!parsed.success) return { ran: false, fields: parsed.error.issues.map(toFieldError) };
      return { ran: true, value: await options.run({ ...call, input: parsed.data }) };
    },
  };
}

/** Whether a value was made by {@link defineFunction}, of this or another copy of the package. */
export function isFunctionDefinition(value: unknown): value is FunctionDefinition {
  return isJsonObject(value) && functionMark in value;
}
