import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import type { ToolEffect } from '../../../domain/tool.ts';
import { mergeParameters } from '../../../engines/openapi/merge-parameters.ts';
import { OpenApiError, toPointer } from '../../../engines/openapi/openapi-error.ts';
import { resolveReference } from '../../../engines/openapi/resolve-reference.ts';
import type { ImportedOperation } from '../../../engines/providers/imported-definition.ts';
import { createArgumentNames } from './argument-names.ts';
import { ImportInputError } from './choose-operations.ts';
import { compileBody } from './compile-body.ts';
import { compileParameters } from './compile-parameters.ts';
import {
  createSchemaConverter,
  SchemaTooLargeError,
  type SchemaLimits,
  type Warn,
} from './convert-schema.ts';
import type { ListedOperation } from './list-operations.ts';
import { readRequirements, toNeededScopes } from './read-auth.ts';
import { joinTexts, toPlainText } from './texts.ts';

/** A model reads the schema of each tool in each step, so that a large one is shown with less depth. */
const characters = 12_000;
const limits: SchemaLimits[] = [
  { levels: 8, description: 300, values: 200, characters },
  { levels: 5, description: 200, values: 100, characters },
  { levels: 4, description: 100, values: 60, characters },
  { levels: 3, description: 80, values: 40, characters },
  { levels: 2, description: 80, values: 30, characters },
  { levels: 1, description: 60, values: 30, characters },
  { levels: 0, description: 40, values: 20, characters: 5 * characters },
];

/** The facts of a document that its operations share. */
export interface DocumentFacts {
  document: JsonObject;
  title: string;
  baseUrl: string;
  /** The headers that the credentials of connections are in, in lower case. */
  authHeaders: ReadonlySet<string>;
  effects: ReadonlyMap<string, ToolEffect>;
  warn: Warn;
}

/**
 * Compiles an operation. Returns null, with a warning, for one whose requests cannot be sent.
 * @throws OpenApiError with the JSON pointer of what is wrong
 */
export function compileOperation(facts: DocumentFacts, listed: ListedOperation): ImportedOperation | null {
  for (const limit of limits) {
    const warnings: Parameters<Warn>[] = [];
    try {
      const compiled = tryCompile({ ...facts, warn: (...warning) => warnings.push(warning) }, listed, limit);
      for (const warning of warnings) facts.warn(...warning);
      return compiled;
    } catch (error) {
      if (!(error instanceof SchemaTooLargeError)) throw error;
    }
  }
  facts.warn(listed.pointer, 'its input is too large for a tool; the operation is left out');
  return null;
}

function tryCompile(
  facts: DocumentFacts,
  listed: ListedOperation,
  limit: SchemaLimits,
): ImportedOperation | null {
  const { document, warn, authHeaders } = facts;
  const { operation, item, pointer, itemPointer, method, path } = listed;
  const refused = /[\s?#]|\/\.{1,2}(\/|$)/.test(path) ? 'its path cannot be a template' : null;
  const converter = createSchemaConverter({ document, limits: limit, warn });
  const names = createArgumentNames();
  const parameters = mergeParameters(
    document,
    { list: item.parameters, pointer: toPointer(itemPointer, 'parameters') },
    { list: operation.parameters, pointer: toPointer(pointer, 'parameters') },
  );
  const placed = compileParameters({ path, pointer, parameters, converter, names, warn, authHeaders });
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = compileBody({
    ...{ document, pointer, converter, names, warn },
    operation: hasBody ? operation : {},
  });
  const refusal = refused ?? placed.refusal ?? body.refusal;
  if (refusal !== null) {
    warn(pointer, `the operation is left out: ${refusal}`);
    return null;
  }
  if (converter.wasCut())
    warn(pointer, 'parts of its input are left open, since they are large or contain themselves');
  const properties = { ...placed.properties, ...body.properties };
  const required = [...placed.required, ...body.required];
  return {
    description: describeOperation(facts, listed),
    request: `${method} ${placed.path}` as ImportedOperation['request'],
    ...toEffect(facts, listed, placed.idempotencyHeader),
    schema: {
      ...{ type: 'object', properties },
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    query: placed.query,
    ...withEntries('styles', placed.styles),
    ...withEntries('rename', names.renamed()),
    ...body.parts,
    ...toAnswer(document, operation, { pointer, headers: placed.headers }),
    ...toScopes(document, operation),
  };
}

function withEntries<Name extends string, Value extends object>(name: Name, value: Value) {
  return (Object.keys(value).length > 0 ? { [name]: value } : {}) as { [Key in Name]?: Value };
}

function describeOperation({ title }: DocumentFacts, { operation, method, path }: ListedOperation): string {
  const summary = toPlainText(operation.summary, 300);
  const text = joinTexts(summary, toPlainText(operation.description, 600), 500);
  return text === '' ? `${method} ${path} of ${title}.` : text;
}

const effects: Record<ListedOperation['method'], 'read_only' | 'idempotent' | 'unsafe'> = {
  GET: 'read_only',
  HEAD: 'read_only',
  PUT: 'idempotent',
  DELETE: 'idempotent',
  POST: 'unsafe',
  PATCH: 'unsafe',
};

function toEffect(
  facts: DocumentFacts,
  { name, method }: ListedOperation,
  idempotencyHeader: string | undefined,
): Pick<ImportedOperation, 'effect' | 'idempotencyHeader'> {
  const given = facts.effects.get(name);
  const byMethod = effects[method];
  const effect = given ?? (byMethod === 'unsafe' && idempotencyHeader !== undefined ? 'keyed' : byMethod);
  if (effect !== 'keyed') return { effect };
  if (idempotencyHeader !== undefined) return { effect, idempotencyHeader };
  const message = 'expected another effect: the document names no header Idempotency-Key of this operation';
  throw new ImportInputError([{ field: `effects.${name}`, message }]);
}

function toScopes(document: JsonObject, operation: JsonObject): Pick<ImportedOperation, 'scopes'> {
  const scopes = toNeededScopes(document, readRequirements(document, operation));
  return scopes.length > 0 ? { scopes } : {};
}

/** Reads the types of the answers with a status of success: whether they are a file, and what to accept. */
function toAnswer(
  document: JsonObject,
  { responses }: JsonObject,
  { pointer, headers }: { pointer: string; headers: Record<string, string> },
): Pick<ImportedOperation, 'answer' | 'headers'> {
  const types = Object.entries(isJsonObject(responses) ? responses : {}).flatMap(([status, response]) => {
    if (!/^2/.test(status)) return [];
    const responsePointer = toPointer(pointer, 'responses', status);
    const { content } = orEmpty(() => resolveReference(document, response, responsePointer));
    return isJsonObject(content) ? Object.keys(content) : [];
  });
  const isFile =
    types.length > 0 &&
    types.every((type) => !/json|^text\/|xml|\*\/\*|event-stream|x-www-form|urlencoded/i.test(type));
  const isJson = types.length === 0 || types.some((type) => /^application\/json\b|\*/i.test(type));
  const accept: Record<string, string> = isJson ? {} : { Accept: types.slice(0, 5).join(', ') };
  const all = { ...accept, ...headers };
  return { ...(isFile ? { answer: 'file' as const } : {}), ...withEntries('headers', all) };
}

/** Answers are not needed for a request, so that a wrong reference in one is no error. */
function orEmpty(read: () => JsonObject): JsonObject {
  try {
    return read();
  } catch (error) {
    if (error instanceof OpenApiError) return {};
    throw error;
  }
}
