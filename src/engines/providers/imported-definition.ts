import type { JsonObject } from '../../domain/json.ts';
import type { ToolEffect } from '../../domain/tool.ts';
import type { Operation, RequestTemplate } from './define-operation.ts';
import type { Provider } from './define-provider.ts';
import { createJsonSchemaInput, type CheckJsonSchema } from './operation-input.ts';

type ImportedParts = Pick<
  Operation,
  | 'description'
  | 'scopes'
  | 'query'
  | 'rename'
  | 'styles'
  | 'headers'
  | 'bodyField'
  | 'needsBody'
  | 'bodyFormat'
  | 'mediaType'
  | 'files'
  | 'answer'
> & { baseUrl?: string; effect: ToolEffect; idempotencyHeader?: string };

/** An operation of an imported document as it is stored: data, with a JSON Schema as its input. */
export interface ImportedOperation extends ImportedParts {
  request: RequestTemplate;
  schema: JsonObject;
}

/** A provider of a workspace as it is stored. */
export interface ImportedDefinition extends Omit<Provider, 'operations' | 'throttle'> {
  operations: Record<string, ImportedOperation>;
}

/** Makes a provider of a stored definition; `check` checks the arguments of its operations. */
export function toImportedProvider(definition: ImportedDefinition, check: CheckJsonSchema): Provider {
  const operations = Object.entries(definition.operations).map(([name, { schema, ...parts }]) => [
    name,
    { ...parts, input: createJsonSchemaInput(schema, check) },
  ]);
  return { ...definition, operations: Object.fromEntries(operations) as Provider['operations'] };
}
