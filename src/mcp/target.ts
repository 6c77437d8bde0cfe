import type { FetchLike } from '@modelcontextprotocol/client';
import type { OpenConnection } from '../domain/connection.ts';
import { createRedactor, type Redact } from '../domain/redact.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { McpCatalogue, McpServer } from './catalogue.ts';
import { toConnectionEndpointId } from './connection-reference.ts';

/** A server of the operator's catalogue; each workspace has connections of its own to it. */
export interface CatalogueTarget {
  server: string;
  workspaceId?: string;
}

/** The MCP server to speak to: one of the catalogue, or the one behind a connection that is open. */
export type McpTarget = CatalogueTarget | OpenConnection;

/** A server that can be connected to, and by whose name and right. */
export interface McpEndpoint {
  /** The server for one workspace, whatever the credentials. */
  id: string;
  /** The server for one workspace under one identity: what a live connection may be shared by. */
  key: string;
  workspaceId: string;
  /** What it is called in messages. */
  label: string;
  server: McpServer;
  fetch: FetchLike;
  /** Takes what is secret of its connection out of a text. */
  redact: Redact;
}

/** In headers and environments of servers, what is shorter is a setting such as `production`. */
const leastSecretLength = 12;

interface EndpointOptions {
  catalogue: McpCatalogue;
  /** For the servers of the catalogue; connections bring their own. */
  fetch: FetchLike;
}

function toJsonKey(...parts: string[]): string {
  return JSON.stringify(parts);
}

function ofConnection(open: OpenConnection): McpEndpoint {
  const { connection, workspaceId, redact } = open;
  const url = connection.endpoint ?? open.baseUrl;
  if (url === null) {
    const message = `The connection ${connection.name} has no endpoint, so there is no MCP server to speak to.`;
    throw new HoldfastError('TOOL_MISCONFIGURED', message);
  }
  const id = toConnectionEndpointId({ workspaceId, connectionId: connection.id });
  return {
    id,
    // New credentials are another principal: nothing that was opened with the old ones is used for them.
    key: toJsonKey(id, connection.updatedAt, url),
    workspaceId,
    label: connection.name,
    server: { kind: 'http', url, headers: {} },
    fetch: (address, init) => open.fetch(address, init),
    redact,
  };
}

/** What an operator gives a server so that it is let in; values as short as a flag are none. */
function secretsOf(server: McpServer): string[] {
  const values = Object.values(server.kind === 'http' ? server.headers : server.env);
  const tokens = values.map((value) => value.replace(/^(?:Bearer|Basic|Token|Bot)\s+/i, ''));
  return [...values, ...tokens].filter((value) => value.length >= leastSecretLength);
}

/**
 * Says where a target is.
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
