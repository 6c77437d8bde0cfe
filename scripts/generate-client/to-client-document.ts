import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import { describeOperations, type Operation } from './describe-operations.ts';
import { findSuccess, resolve, type Document } from './open-api.ts';

/**
 * Returns the OpenAPI document as callers of the client see it. Each operation has one answer, which holds the return
 * value of the client's function, and one body, which may be JSON or a form with files. Errors are left out, because
 * the client throws them.
 */
export function toClientDocument(source: Document): Document {
  const document = JSON.parse(JSON.stringify(source), withoutRest) as Document;
  for (const operation of describeOperations(source)) {
    const item = document.paths?.[operation.path];
    const object = item?.[operation.method.toLowerCase() as 'get'];
    if (object !== undefined) rewriteOperation(document, object, operation);
  }
  rewriteComponents(document);
  return document;
}

/** Removes `items` beside `prefixItems`: the generator of types would add an element of that type to the tuple. */
function withoutRest(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('prefixItems' in value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'items'));
}

function rewriteOperation(document: Document, object: OpenApi.OperationObject, operation: Operation): void {
  const schema = toAnswerSchema(document, object, operation);
  const type = operation.answer === 'blob' ? 'application/octet-stream' : 'application/json';
  object.responses =
    schema === undefined
      ? { 204: { description: '' } }
      : { 200: { description: '', content: { [type]: { schema } } } };
  // The client sets headers itself.
  object.parameters =
    object.parameters?.filter((parameter) => resolve(document, parameter).in !== 'header') ?? [];
  if (object.requestBody === undefined) return;
  const body = resolve(document, object.requestBody);
  const schemas = Object.entries(body.content).map(([mediaType, content]) => {
    const bodySchema = content.schema ?? {};
    return mediaType === 'multipart/form-data' ? toFormSchema(resolve(document, bodySchema)) : bodySchema;
  });
  const [only = {}] = schemas;
  object.requestBody = {
    required: operation.body === 'required',
    content: { 'application/json': { schema: schemas.length > 1 ? { anyOf: schemas } : only } },
  };
}

type Schema = OpenApi.SchemaObject | OpenApi.ReferenceObject;

/** Returns the schema of the return value of the client's function; undefined when it returns nothing. */
function toAnswerSchema(
  document: Document,
  object: OpenApi.OperationObject,
  { answer, field = '' }: Operation,
): Schema | undefined {
  if (answer === 'nothing') return undefined;
  if (answer === 'blob') return { type: 'string', format: 'binary' };
  const schema = findSuccess(document, object)?.content?.['application/json']?.schema ?? {};
  const envelope = resolve(document, schema);
  if (answer === 'json') return schema;
  const data = envelope.properties?.['data'] ?? {};
  if (answer === 'data') return data;
  const value = resolve(document, data).properties?.[field] ?? {};
  if (answer === 'value') return value;
  return {
    type: 'object',
    properties: { items: value, nextCursor: { type: ['string', 'null'] } },
    required: ['items', 'nextCursor'],
  };
}

/** Returns the schema of a form whose files become `Blob | File` in TypeScript. */
function toFormSchema(schema: OpenApi.SchemaObject): OpenApi.SchemaObject {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const isFile = 'contentMediaType' in property;
    return [name, isFile ? { type: 'string', format: 'binary' } : property];
  });
  return { ...schema, properties: Object.fromEntries(properties) as Record<string, OpenApi.SchemaObject> };
}

function rewriteComponents(document: Document): void {
  const { Error: error, ...schemas } = document.components?.schemas ?? {};
  // Each operation has the form of its file.
  delete schemas['FileUpload'];
  // Each variant has its own `type`, and the generator of types would write it again around each of them.
  for (const schema of Object.values(schemas)) delete schema.discriminator;
  const info = error?.properties?.['error'];
  const code = info && 'properties' in info ? info.properties['code'] : undefined;
  if (code === undefined) throw new Error('The document has no codes of errors in its schema Error');
  const json = { $ref: '#/components/schemas/JsonValue' };
  const jsonObject = { type: 'object', additionalProperties: json } as const;
  const plain = (['string', 'number', 'boolean', 'null'] as const).map((type) => ({ type }));
  const jsonValue = { anyOf: [...plain, { type: 'array', items: json }, jsonObject] };
  document.components = {
    ...document.components,
    schemas: { ...schemas, ErrorCode: code, JsonObject: jsonObject, JsonValue: jsonValue as Schema },
  };
}
