import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIV3_1 } from 'openapi-types';
import { lineMediaType } from '../line-bodies.ts';

/**
 * Removes unused schemas from the document, restores the names of request schemas, marks bodies that may be missing as
 * optional, and sorts paths, methods and schemas by their names.
 */
export function tidyDocument(document: OpenAPIV3_1.Document): OpenAPIV3_1.Document {
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item ?? {})) {
      markOptionalBody(operation as OpenAPIV3_1.OperationObject);
      describeFile(operation as OpenAPIV3_1.OperationObject);
      describeLines(operation as OpenAPIV3_1.OperationObject);
    }
  }
  const schemas = { ...document.components?.schemas, FileUpload: fileUpload };
  const used = findUsed(document.paths, schemas);
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  const { paths, components, ...others } = withOwnNames({
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(kept) },
  });
  return {
    ...others,
    paths: toSorted(mapValues(paths ?? {}, (item) => toSorted(item ?? {}))),
    components: { ...components, schemas: toSorted(components?.schemas ?? {}) },
  };
}

/** The form of a file. Since it is a named schema, generators of clients do not take it for the body of one operation. */
const fileUpload: OpenAPIV3_1.SchemaObject = {
  type: 'object',
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  required: ['file'],
};

function toSorted<Values extends object>(values: Values): Values {
  const entries = Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries) as Values;
}

function mapValues<Value>(
  values: Record<string, Value>,
  map: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}

/**
 * Renames schemas such as `NewToolInput` back to the registered name `NewTool`. The generator adds `Input` to the name of
 * a schema in requests; the name stays when answers use another schema with the registered name.
 */
function withOwnNames(document: OpenAPIV3_1.Document): OpenAPIV3_1.Document {
  const found = document.components?.schemas ?? {};
  const toOwnName = (name: string) => {
    const own = name.replace(/Input$/, '');
    return own in found && !isDeepStrictEqual(found[own], found[name]) ? name : own;
  };
  const text = JSON.stringify(document).replace(
    /"#\/components\/schemas\/([^"]+)"/g,
    (_reference, name: string) => `"#/components/schemas/${toOwnName(name)}"`,
  );
  const renamed = JSON.parse(text) as OpenAPIV3_1.Document;
  const schemas = Object.entries(renamed.components?.schemas ?? {});
  const named = Object.fromEntries(schemas.map(([name, schema]) => [toOwnName(name), schema]));
  return { ...renamed, components: { ...renamed.components, schemas: named } };
}

/**
 * Adds a file to operations marked with `x-takes-file`, as alternative to their JSON body if they have one, and removes the
 * mark.
 */
function describeFile(operation: OpenAPIV3_1.OperationObject & { 'x-takes-file'?: boolean }): void {
  const { 'x-takes-file': takesFile, requestBody = { content: {}, required: true } } = operation;
  delete operation['x-takes-file'];
  if (!takesFile || '$ref' in requestBody) return;
  requestBody.content['multipart/form-data'] = { schema: { $ref: '#/components/schemas/FileUpload' } };
  operation.requestBody = requestBody;
}

/** Describes the body of operations marked with `x-takes-lines`, and removes the mark. */
function describeLines(operation: OpenAPIV3_1.OperationObject & { 'x-takes-lines'?: boolean }): void {
  const { 'x-takes-lines': takesLines } = operation;
  delete operation['x-takes-lines'];
  if (!takesLines) return;
  const content = { [lineMediaType]: { schema: { type: 'string' as const } } };
  operation.requestBody = { description: 'Lines of JSON', required: true, content };
}

function markOptionalBody({ requestBody }: OpenAPIV3_1.OperationObject): void {
  if (!requestBody || '$ref' in requestBody) return;
  const schema = requestBody.content['application/json']?.schema as OpenAPIV3_1.SchemaObject | undefined;
  if (schema?.anyOf?.some((choice) => 'type' in choice && choice.type === 'null'))
    requestBody.required = false;
}

function findUsed(root: unknown, schemas: object): Set<string> {
  const used = new Set<string>();
  const open: unknown[] = [root];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      open.push((schemas as Record<string, unknown>)[name]);
    }
  }
  return used;
}
