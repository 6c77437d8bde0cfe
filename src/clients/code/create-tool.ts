import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { ApprovalMode } from '../../domain/approval.ts';
import { checkInput, type CheckedInput } from '../../domain/check-input.ts';
import type { FieldError } from '../../domain/errors.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { toolFields, toolSettingsSchema, type ToolEffect, type ToolSettings } from '../../domain/tool.ts';
import type { FunctionDefinition } from '../../engines/functions/define-function.ts';
import { toJsonSchema } from '../../engines/functions/input-schema.ts';
import type { PortableConfig, PortableType } from './portable.ts';

const toolMark = Symbol.for('holdfast.tool');

/** A tool of an agent in code. It names connections, knowledge bases and agents by their names. */
export interface CodeTool {
  readonly [toolMark]: true;
  readonly type: PortableType;
  readonly name: string;
  /** Undefined where `holdfast push` looks it up. */
  readonly description: string | undefined;
  readonly schema: JsonObject | undefined;
  readonly settings: ToolSettings;
  readonly config: PortableConfig;
  /** The function itself, if the code has it. */
  readonly definition: FunctionDefinition | undefined;
}

/** The options that tools of all types have. */
export interface CommonOptions {
  /** The description that the model reads. */
  description?: string;
  /** Whether a person has to approve each call; the same as `settings.approval`. */
  approval?: ApprovalMode;
  /** The arguments whose calls ask, as JSON Schema; the same as `settings.approvalWhen`. */
  approvalWhen?: JsonObject;
  /** The effect of a call; the same as `settings.effect`. */
  effect?: ToolEffect;
  settings?: ToolSettings;
}

/** The options of tools whose arguments may be given. */
export interface SchemaOptions extends CommonOptions {
  /** The arguments, as a schema of zod or as JSON Schema. */
  input?: z.ZodObject | JsonObject;
}

interface ToolParts {
  type: PortableType;
  name: string;
  /** The options as they were given. */
  options: SchemaOptions;
  /** The schemas of the options that tools of this type have besides the common ones. */
  own: Record<string, z.ZodType>;
  config: PortableConfig;
  /** The description and the arguments of a tool whose options have none. */
  defaults?: { description: string; input: JsonObject };
  definition?: FunctionDefinition;
}

const { approval, approvalWhen, effect } = toolSettingsSchema.shape;
const { description, settings } = toolFields;

const commonOptions = {
  ...{ approval, approvalWhen, effect, settings },
  name: z.string().optional(),
  description: description.optional(),
  input: z.custom<z.ZodObject | JsonObject>(isJsonObject, 'expected a schema').optional(),
};

const computedFields = z.strictObject({ name: toolFields.name, schema: toolFields.schema.optional() });

/** The fields of a function. A copy with more of them is refused, since no tool would have them. */
const definitionFields = z.strictObject({
  ...{ name: z.string(), description: z.string(), schema: z.unknown(), effect: z.unknown() },
  ...{ timeoutMs: z.unknown(), secrets: z.unknown(), call: z.unknown() },
});

/**
 * Creates a tool from the options of its helper.
 * @throws TypeError that says what is wrong with the tool
 */
export function createTool({ type, name, config, definition, ...parts }: ToolParts): CodeTool {
  const check = <Schema extends z.ZodType>(schema: Schema, value: unknown) =>
    orUnusable(name, checkInput(schema, value));
  if (definition) check(definitionFields, definition);
  const options = check(z.strictObject({ ...commonOptions, ...parts.own }), parts.options);
  const { description: text = parts.defaults?.description, input = parts.defaults?.input } = options;
  const { schema } = check(computedFields, {
    name,
    schema: isZodObject(input) ? toJsonSchema(name, input) : input,
  });
  const named = Object.entries(config).filter(([, value]) => value !== undefined);
  return {
    [toolMark]: true,
    ...{ type, name, definition, schema, description: text },
    settings: orUnusable(name, mergeSettings(options)),
    config: Object.fromEntries(named),
  };
}

interface GivenSettings extends Pick<ToolSettings, 'approval' | 'approvalWhen' | 'effect'> {
  settings?: ToolSettings | undefined;
}

/** Returns the settings with those that are given beside them. */
function mergeSettings({ settings: inside = {}, ...beside }: GivenSettings): CheckedInput<ToolSettings> {
  const names = ['approval', 'approvalWhen', 'effect'] as const;
  const lifted = names.filter((name) => beside[name] !== undefined);
  const errors = lifted.flatMap((name): { field: string; message: string }[] => {
    if (inside[name] === undefined || isDeepStrictEqual(inside[name], beside[name])) return [];
    if (name === 'approvalWhen')
      return [{ field: name, message: 'differs from settings.approvalWhen: expected one of them' }];
    const message = `is "${beside[name]}", but settings.${name} is "${inside[name]}": expected one of them`;
    return [{ field: name, message }];
  });
  if (errors.length > 0) return { success: false, errors };
  const value = { ...inside, ...Object.fromEntries(lifted.map((name) => [name, beside[name]])) };
  return { success: true, value };
}

function orUnusable<Value>(name: string, checked: CheckedInput<Value>): Value {
  if (checked.success) return checked.value;
  const problems = checked.errors.map(({ field, message }) => `\n  ${field}: ${message}`);
  throw new TypeError(`The tool ${JSON.stringify(name)} cannot be used:${problems.join('')}`);
}

function isZodObject(input: unknown): input is z.ZodObject {
  return isJsonObject(input) && '_zod' in input;
}

const storedFields = z.strictObject({
  ...{ type: z.string(), name: toolFields.name, settings: toolSettingsSchema },
  ...{ description: description.optional(), schema: toolFields.schema.optional() },
  ...{ config: z.unknown(), definition: z.unknown() },
});

/** Returns the invalid fields of a tool: code may have copied it with other fields. */
export function findToolErrors(tool: CodeTool): FieldError[] {
  const checked = checkInput(storedFields, tool);
  return checked.success ? [] : checked.errors;
}

/** Whether a value is a tool in code, of this or another copy of the package. */
export function isCodeTool(value: unknown): value is CodeTool {
  return isJsonObject(value) && toolMark in value;
}
