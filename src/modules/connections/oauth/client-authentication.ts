import { modifyAssertion, None, ClientSecretPost, PrivateKeyJwt, type ClientAuth } from 'oauth4webapi';
import { isClientRefusal } from './oauth-failures.ts';
import { readSigningKey } from './signing-key.ts';

/** How a client sends its id and secret; `basic_with_id` is Basic authentication with `client_id` in the form besides. */
export type ClientAuthentication = 'none' | 'basic' | 'basic_with_id' | 'post';

interface ClientProof {
  clientSecret?: string | undefined;
  clientAuthentication: ClientAuthentication;
}

/** The result of a request, and the authentication that the server accepted. */
interface Authenticated<Result> {
  result: Result;
  clientAuthentication: ClientAuthentication;
}

/**
 * Runs a request with the authentication of a client. When the server refuses the client with Basic authentication, the
 * request is sent with `client_id` in the form besides, and then with the secret in the form. Servers of the Python MCP
 * SDK require `client_id` in the form (RFC 6749, section 3.2.1, allows it), Okta and Notion refuse it, and a client that
 * was registered by hand may have been registered for the form. A refused client has not used up its code or token.
 * @throws the error of the first request when the server refuses all of them
 */
export async function withClientAuth<Result>(
  { clientSecret, clientAuthentication }: ClientProof,
  run: (auth: ClientAuth) => Promise<Result>,
): Promise<Authenticated<Result>> {
  const attempts = clientSecret === undefined ? ['none' as const] : listAttempts(clientAuthentication);
  const errors: unknown[] = [];
  for (const attempt of attempts) {
    try {
      return { result: await run(toClientAuth(attempt, clientSecret)), clientAuthentication: attempt };
    } catch (error) {
      errors.push(error);
      if (!isClientRefusal(error)) break;
    }
  }
  throw errors[0];
}

function listAttempts(clientAuthentication: ClientAuthentication): ClientAuthentication[] {
  return clientAuthentication === 'basic' ? ['basic', 'basic_with_id', 'post'] : [clientAuthentication];
}

function toClientAuth(clientAuthentication: ClientAuthentication, clientSecret = ''): ClientAuth {
  if (clientAuthentication === 'none') return None();
  if (clientAuthentication === 'post') return ClientSecretPost(clientSecret);
  return toBasicAuth(clientSecret, clientAuthentication === 'basic_with_id');
}

/**
 * Sends the secret as HTTP Basic authentication, encoded as in a form (RFC 6749, section 2.3.1). The characters
 * `-._~` stay as they are: many servers compare the encoded text with the secret, and a form never has to encode them.
 */
function toBasicAuth(clientSecret: string, isIdInForm: boolean): ClientAuth {
  return (...[, client, form, headers]) => {
    if (isIdInForm) form.set('client_id', client.client_id);
    const pair = [client.client_id, clientSecret].map((part) => encodeURIComponent(part));
    headers.set('authorization', `Basic ${Buffer.from(pair.join(':')).toString('base64')}`);
  };
}

/** Returns how a server takes a secret: as HTTP Basic authentication, unless it takes it in the form only. */
export function chooseSecretMethod(clientAuthentications: readonly string[]): 'basic' | 'post' {
  const isPost =
    !clientAuthentications.includes('client_secret_basic') &&
    clientAuthentications.includes('client_secret_post');
  return isPost ? 'post' : 'basic';
}

interface KeyProof {
  /** In PEM. */
  privateKey: string;
  keyId?: string | undefined;
  /** The `aud` of the assertion. @default the issuer of the server */
  audience?: string | undefined;
}

/** Builds the authentication of a client by a signed assertion (`private_key_jwt`, RFC 7523). */
export function toKeyAuth({ privateKey, keyId, audience }: KeyProof): ClientAuth {
  const key = readSigningKey(privateKey);
  return PrivateKeyJwt(keyId === undefined ? key : { key, kid: keyId }, {
    [modifyAssertion]: (_header, payload) => {
      if (audience !== undefined) payload['aud'] = audience;
    },
  });
}
