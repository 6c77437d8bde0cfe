import type { FetchLike } from '@modelcontextprotocol/client';
import type { OpenConnection } from '../../domain/connection.ts';
import { createRedactor, type Redact } from '../../domain/redact.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { McpCatalogue, McpServer } from './mcp-catalogue.ts';

/** A server of the operator's catalogue; each workspace has its own sessions with it. */
export interface CatalogueTarget {
  server: string;
  workspaceId?: string;
}

/** The MCP server to call: a server of the catalogue, or the server of an opened connection. */
export type McpTarget = CatalogueTarget | OpenConnection;

/** The address of a server, and the workspace and credentials that it is called with. */
export interface McpEndpoint {
  /** Identifies the server for one workspace, under any credentials. */
  id: string;
  /** Identifies the server for one workspace and identity; calls with the same key share a session. */
  key: string;
  workspaceId: string;
  /** The name of the server in messages. */
  label: string;
  server: McpServer;
  fetch: FetchLike;
  /** Redacts the secrets of the server's connection or catalogue entry. */
  redact: Redact;
}

/** Shorter values in headers and environments are settings such as `production`, and are not redacted. */
const leastSecretLength = 12;

interface EndpointOptions {
  catalogue: McpCatalogue;
  /** The fetch for servers of the catalogue; a connection has its own. */
  fetch: FetchLike;
}

/** A stored connection by its id alone; it may have been deleted. */
export interface ConnectionReference {
  workspaceId: string;
  connectionId: string;
}

/** Returns the `id` of the endpoint that {@link toEndpoint} gives the server of a connection. */
export function toConnectionEndpointId({ workspaceId, connectionId }: ConnectionReference): string {
  return toJsonKey('connection', workspaceId, connectionId);
}

function toJsonKey(...parts: string[]): string {
  return JSON.stringify(parts);
}

function ofConnection(open: OpenConnection): McpEndpoint {
  const { connection, workspaceId, redact } = open;
  const url = connection.endpoint ?? open.baseUrl;
  if (url === null) {
    const message = `The connection ${connection.name} has no endpoint, so there is no MCP server to call.`;
    throw new HoldfastError('TOOL_MISCONFIGURED', message);
  }
  const id = toConnectionEndpointId({ workspaceId, connectionId: connection.id });
  return {
    id,
    // Changed credentials are another identity, so they get a separate session.
    key: toJsonKey(id, connection.updatedAt, url),
    workspaceId,
    label: connection.name,
    server: { kind: 'http', url, headers: {} },
    fetch: (address, init) => open.fetch(address, init),
    redact,
  };
}

/** Returns the values of headers and environment that may be credentials, also without their scheme. */
function secretsOf(server: McpServer): string[] {
  const values = Object.values(server.kind === 'http' ? server.headers : server.env);
  const tokens = values.map((value) => value.replace(/^(?:Bearer|Basic|Token|Bot)\s+/i, ''));
  return [...values, ...tokens].filter((value) => value.length >= leastSecretLength);
}

/**
 * Returns the endpoint of a target.
 * @throws HoldfastError NOT_FOUND for a name that is not in the catalogue; TOOL_MISCONFIGURED for a connection
 * without an address
 */
export function toEndpoint(target: McpTarget, { catalogue, fetch }: EndpointOptions): McpEndpoint {
  if ('connection' in target) return ofConnection(target);
  const server = catalogue.get(target.server);
  if (!server) {
    const known = [...catalogue.keys()].join(', ') || 'none';
    const message = `There is no MCP server "${target.server}" in the catalogue. Known are: ${known}.`;
    throw new HoldfastError('NOT_FOUND', message);
  }
  const workspaceId = target.workspaceId ?? '';
  const id = toJsonKey('catalogue', workspaceId, target.server);
  return {
    id,
    key: id,
    workspaceId,
    label: target.server,
    server,
    fetch,
    redact: createRedactor(secretsOf(server)).redact,
  };
}
