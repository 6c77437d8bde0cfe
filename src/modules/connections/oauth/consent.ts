import type { NamedAuthorizationRequest } from './authorization-request-repository.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { bindState, isBoundTo, toPendingId } from './bound-state.ts';
import type { ConnectionDependencies } from '../connection-dependencies.ts';
import type { ConnectionParts } from '../connection-parts.ts';
import { hashState, openPending } from './pending-authorization.ts';

type Parts = Pick<ConnectionDependencies, 'connections'>;

/** The `state` that a browser brought back, and the secret in its cookie. */
export interface ReturnedState {
  state: string;
  browser: string | undefined;
}

/** The texts that a person needs to decide on a consent. */
export interface Consent {
  /** The id of the pending authorization. */
  id: string;
  connection: string;
  workspace: string;
  provider: string;
  endpoint: string | null;
  /** The host of the authorization server. */
  server: string;
  scopes: string[];
  /** The address that the caller wants the person to come back to. */
  returnUrl: string | null;
}

/**
 * Binds a pending authorization to the browser that opens it: returns the secret for its cookie, and the address at the
 * authorization server. A later browser that opens it is bound for itself.
 * @throws HoldfastError `AUTHORIZATION_FAILED`
 */
export async function openConsent(
  { connections: parts }: Parts,
  id: string,
): Promise<{ url: string; browser: string }> {
  const { authorizationUrl } = openPending(parts.keyRing, await findRequest(parts, id));
  const { state, browser } = bindState(id);
  const url = new URL(authorizationUrl);
  url.searchParams.set('state', state);
  return { url: url.href, browser };
}

/**
 * Reads the connection and the workspace that a consent is for. Changes nothing.
 * @throws HoldfastError `AUTHORIZATION_FAILED` also when another browser has started it
 */
export async function readConsent({ connections: parts }: Parts, returned: ReturnedState): Promise<Consent> {
  const id = requireBoundId(returned);
  const request = await findRequest(parts, id);
  const { authorizationUrl, grant, returnUrl = null } = openPending(parts.keyRing, request);
  const { connectionName: connection, workspaceName: workspace, provider, endpoint } = request;
  const server = new URL(authorizationUrl).host;
  const { scopes } = grant;
  return { id, connection, workspace, provider, endpoint, server, scopes, returnUrl };
}

/**
 * Deletes a pending authorization of a person who does not want to connect.
 * @throws HoldfastError `AUTHORIZATION_FAILED` when another browser has started it
 */
export async function refuseConsent({ connections: parts }: Parts, returned: ReturnedState): Promise<void> {
  await parts.takeAuthorizationRequest(hashState(requireBoundId(returned)));
}

/**
 * Returns the id of the pending authorization that a browser brought back.
 * @throws HoldfastError `AUTHORIZATION_FAILED` when it is not the browser that started it
 */
export function requireBoundId({ state, browser }: ReturnedState): string {
  if (isBoundTo(state, browser)) return toPendingId(state);
  throw new HoldfastError(
    'AUTHORIZATION_FAILED',
    'This authorization was not started in this browser, or its cookie was deleted. Open the link to the consent here.',
  );
}

/** The error for a pending authorization that cannot be found. */
export function unknownAuthorization(): HoldfastError {
  return new HoldfastError(
    'AUTHORIZATION_FAILED',
    'This authorization is not known, was used already, or took longer than 10 minutes. Begin again.',
  );
}

async function findRequest(
  { findAuthorizationRequest }: ConnectionParts,
  id: string,
): Promise<NamedAuthorizationRequest> {
  const request = await findAuthorizationRequest(hashState(id));
  if (request && request.expiresAt.getTime() > Date.now()) return request;
  throw unknownAuthorization();
}
