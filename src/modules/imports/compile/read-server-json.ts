import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import type { ImportWarning, McpServerDraft } from '../provider-import.ts';
import { OpenApiError, toPointer } from '../../../engines/openapi/openapi-error.ts';
import { toPlainText, toText } from './texts.ts';

type Field = McpServerDraft['fields'][number];

/** Returns whether a document is a `server.json` of the MCP registry. */
export function isServerJson({ $schema, openapi, swagger, name, remotes, packages }: JsonObject): boolean {
  if (openapi !== undefined || swagger !== undefined) return false;
  const saysSo = typeof $schema === 'string' && $schema.includes('server.schema.json');
  return saysSo || (typeof name === 'string' && (Array.isArray(remotes) || Array.isArray(packages)));
}

/**
 * Reads a `server.json` as the draft of a connection to its first remote over streamable HTTP.
 * @throws OpenApiError for a server that only runs as a package, and for headers that a connection cannot have
 */
export function readServerJson(document: JsonObject): McpServerDraft {
  const { name, title, description, version, remotes, packages } = document;
  if (typeof name !== 'string' || !/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(name))
    throw new OpenApiError('expected a name such as "io.github.user/weather"', '/name');
  const list = Array.isArray(remotes) ? remotes.filter(isJsonObject) : [];
  const index = list.findIndex(({ type }) => type === 'streamable-http' || type === 'streamable');
  const remote = list[index];
  if (!remote) throw noRemote(list, packages);
  const pointer = toPointer('/remotes', index);
  if (typeof remote.url !== 'string' || !/^https?:\/\//.test(remote.url))
    throw new OpenApiError('expected an http or https URL', toPointer(pointer, 'url'));
  const warnings: ImportWarning[] = [];
  const { auth, fields } = readHeaders(remote, pointer, warnings);
  const own = toPlainText(title, 100) || (name.split('/')[1] ?? name);
  return {
    ...{ name, title: own, description: toPlainText(description, 400), version: toText(version) },
    connection: { name: own.replaceAll(':', ' '), provider: 'mcp', endpoint: remote.url, auth },
    fields: [...readVariables(remote), ...fields],
    warnings,
  };
}

function noRemote(remotes: JsonObject[], packages: JsonValue | undefined): OpenApiError {
  if (remotes.length > 0)
    return new OpenApiError(
      `expected a remote of type "streamable-http", found "${remotes.map(({ type }) => toText(type)).join('", "')}"`,
      '/remotes',
    );
  const kinds = (Array.isArray(packages) ? packages : []).filter(isJsonObject);
  const types = [...new Set(kinds.map(({ registryType }) => toText(registryType)))].join(', ');
  if (kinds.length === 0) return new OpenApiError('expected remotes or packages', '/remotes');
  return new OpenApiError(
    `the server only runs as a package (${types}); an operator adds it to the MCP catalogue of this installation, since ` +
      'workspaces cannot start programs',
    '/packages',
  );
}

function readVariables({ url, variables }: JsonObject): Field[] {
  const known = isJsonObject(variables) ? variables : {};
  const names = [...toText(url).matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  return [...new Set(names)].map((name) =>
    toField(name, 'endpoint', isJsonObject(known[name]) ? known[name] : { isRequired: true }),
  );
}

function toField(name: string, place: Field['place'], input: JsonObject): Field {
  const { description, isRequired, isSecret, default: value, choices } = input;
  return {
    ...{ name, place },
    description: toPlainText(description, 300),
    required: isRequired === true || place === 'endpoint',
    secret: isSecret === true || place === 'auth',
    default: typeof value === 'string' ? value : null,
    choices: Array.isArray(choices) ? choices.map(String) : null,
  };
}

type Auth = McpServerDraft['connection']['auth'];

/** A connection to an MCP server has one header with a secret. */
function readHeaders(
  { headers }: JsonObject,
  pointer: string,
  warnings: ImportWarning[],
): { auth: Auth; fields: Field[] } {
  const list = (Array.isArray(headers) ? headers : []).filter(isJsonObject);
  const required = list.filter(({ isRequired }) => isRequired === true);
  const headersPointer = toPointer(pointer, 'headers');
  if (required.length > 1) {
    const names = required.map(({ name }) => toText(name)).join(', ');
    throw new OpenApiError(`the server needs the headers ${names}, and a connection has one`, headersPointer);
  }
  const chosen = required[0] ?? list.find(({ isSecret }) => isSecret === true);
  for (const header of list)
    if (header !== chosen)
      warnings.push({ pointer: headersPointer, message: `the header ${toText(header.name)} is not sent` });
  return chosen ? toAuth(chosen, headersPointer) : { auth: { type: 'none' }, fields: [] };
}

function toAuth(header: JsonObject, pointer: string): { auth: Auth; fields: Field[] } {
  const { name, value, variables } = header;
  if (typeof name !== 'string' || !/^[A-Za-z0-9-]{1,100}$/.test(name))
    throw new OpenApiError('expected the name of a header', pointer);
  const [, prefix = '', variable] = /^([^{}]*)\{([^{}]+)\}$/.exec(toText(value)) ?? [];
  if (value !== undefined && variable === undefined)
    throw new OpenApiError(`the value of the header ${name} has no single variable at its end`, pointer);
  const known = isJsonObject(variables) && variable !== undefined ? variables[variable] : undefined;
  const input = { ...header, ...(isJsonObject(known) ? known : {}), isRequired: header.isRequired ?? false };
  if (name.toLowerCase() === 'authorization' && prefix.trim().toLowerCase() === 'bearer')
    return { auth: { type: 'bearer' }, fields: [toField('token', 'auth', input)] };
  return { auth: { type: 'api_key', header: name, prefix }, fields: [toField('key', 'auth', input)] };
}
