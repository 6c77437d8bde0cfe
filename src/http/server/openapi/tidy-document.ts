import type { OpenAPIV3_1 } from 'openapi-types';

/**
 * Leaves out schemas that nothing refers to, gives schemas of requests their own names, and says of bodies that may be
 * missing that they may be.
 */
export function tidyDocument(document: OpenAPIV3_1.Document): OpenAPIV3_1.Document {
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item ?? {})) {
      markOptionalBody(operation as OpenAPIV3_1.OperationObject);
      describeFile(operation as OpenAPIV3_1.OperationObject);
    }
  }
  const schemas = document.components?.schemas ?? {};
  const used = findUsed(document.paths, schemas);
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  return withOwnNames({
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(kept) },
  });
}

/**
 * The generator calls a schema `NewToolInput` that is registered as `NewTool` and used in requests. It gets its own name
 * back when no answer uses it, so that there is only one schema of that name.
 */
function withOwnNames(document: OpenAPIV3_1.Document): OpenAPIV3_1.Document {
  const names = new Set(Object.keys(document.components?.schemas ?? {}));
  const toOwnName = (name: string) => {
    const own = name.replace(/Input$/, '');
    return names.has(own) ? name : own;
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

/** A file may take the place of the JSON body; what says so to this function is taken away. */
function describeFile(operation: OpenAPIV3_1.OperationObject & { 'x-takes-file'?: boolean }): void {
  const { requestBody, 'x-takes-file': takesFile } = operation;
  delete operation['x-takes-file'];
  if (!takesFile || !requestBody || '$ref' in requestBody) return;
  const file = { type: 'string' as const, contentMediaType: 'application/octet-stream' };
  const schema = { type: 'object' as const, properties: { file }, required: ['file'] };
  requestBody.content['multipart/form-data'] = { schema };
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
