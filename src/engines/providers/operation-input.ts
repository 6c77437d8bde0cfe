import type { FieldError } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/json.ts';

interface InputIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The checked arguments with their defaults, or what is wrong with them. */
export type InputResult =
  { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly InputIssue[] };

/**
 * The input of an operation: it shows its schema and checks arguments. It is the part of Standard Schema and Standard JSON
 * Schema (https://standardschema.dev) that is used here, so objects of zod are inputs as they are, and
 * `createJsonSchemaInput` makes one of a JSON Schema.
 */
export interface OperationInput {
  readonly '~standard': {
    readonly types?:
      { readonly input: Record<string, unknown>; readonly output: Record<string, unknown> } | undefined;
    readonly validate: (value: unknown) => InputResult | Promise<InputResult>;
    readonly jsonSchema: {
      readonly input: (options: {
        readonly target: string;
        readonly libraryOptions?: Record<string, unknown>;
      }) => Record<string, unknown>;
    };
  };
}

type TypesOf<Input extends OperationInput> = NonNullable<Input['~standard']['types']>;

/** The names of the fields of an input. */
export type FieldOf<Input extends OperationInput> = keyof TypesOf<Input>['input'] & string;

/** The arguments as a check of the input returns them. */
export type CheckedOf<Input extends OperationInput> = TypesOf<Input>['output'];

/** Checks arguments against a JSON Schema; empty when they fit. */
export type CheckJsonSchema = (schema: JsonObject, value: JsonObject) => Promise<FieldError[]>;

/** Makes the input of an operation from a JSON Schema of an object and the function that checks it. */
export function createJsonSchemaInput(schema: JsonObject, check: CheckJsonSchema): OperationInput {
  return {
    '~standard': {
      validate: async (value) => {
        const fields = await check(schema, value as JsonObject);
        if (fields.length === 0) return { value };
        return { issues: fields.map(({ field, message }) => ({ message, path: [field] })) };
      },
      jsonSchema: { input: () => schema },
    },
  };
}

/** Shows the JSON Schema of an input. */
export function toInputSchema(input: OperationInput): JsonObject {
  const schema = input['~standard'].jsonSchema.input({
    target: 'draft-2020-12',
    libraryOptions: {
      // The format is shorter for the model; zod checks the pattern anyway.
      override: ({ jsonSchema }: { jsonSchema: JsonObject }) => {
        if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      },
    },
  });
  return schema as JsonObject;
}

type CheckedInput = { ok: true; input: JsonObject } | { ok: false; fields: FieldError[] };

/** Checks arguments, and sets the defaults that the input has. */
export async function checkAgainst(input: OperationInput, toolArguments: JsonObject): Promise<CheckedInput> {
  const result = await input['~standard'].validate(toolArguments);
  if (result.issues === undefined) return { ok: true, input: result.value as JsonObject };
  return { ok: false, fields: result.issues.flatMap(toFieldErrors) };
}

/** zod reports all unknown fields of an object as one issue with their names. */
function toFieldErrors(issue: InputIssue & { keys?: readonly string[] }): FieldError[] {
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  if (issue.keys === undefined) return [{ field: path.join('.'), message: issue.message }];
  return issue.keys.map((key) => ({ field: [...path, key].join('.'), message: 'is not known' }));
}
