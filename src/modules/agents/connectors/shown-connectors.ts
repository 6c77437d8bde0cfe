import type { AttachedConnector, Connector, ShownConnector } from '../../../domain/connector.ts';
import type { Actor } from '../../../domain/actor.ts';
import { mayDo } from '../../../domain/authorize.ts';

type Reader = Pick<Actor, 'scopes'>;

/** Returns true for a caller who may see the endpoints and the authentication of connections. */
export function maySeeConnections(reader: Reader): boolean {
  return mayDo(reader, 'connections.read');
}

/** Returns a connector as the caller may see it: its endpoint and its masked auth need `connections:read`. */
export function toShownConnector(caller: Reader, connector: Connector): ShownConnector {
  return maySeeConnections(caller) ? connector : { ...connector, endpoint: null, auth: {} };
}

/** Returns an agent or a version of one as the caller may see it: the endpoints of its connectors need `connections:read`. */
export function toShownAgent<Shown extends { connectors: AttachedConnector[] }>(
  caller: Reader,
  agent: Shown,
): Shown {
  if (maySeeConnections(caller)) return agent;
  return { ...agent, connectors: agent.connectors.map((connector) => ({ ...connector, endpoint: null })) };
}
