import { modifyAssertion, None, ClientSecretPost, PrivateKeyJwt, type ClientAuth } from 'oauth4webapi';
import { readSigningKey } from './signing-key.ts';

/** How a client proves to a token endpoint who it is. */
export interface ClientProof {
  clientSecret?: string | undefined;
  clientAuthentication: 'none' | 'basic' | 'post';
}

/** Builds the authentication of a client that has a secret, or none. */
export function toClientAuth({ clientSecret, clientAuthentication }: ClientProof): ClientAuth {
  if (clientSecret === undefined || clientAuthentication === 'none') return None();
  return clientAuthentication === 'post' ? ClientSecretPost(clientSecret) : toBasicAuth(clientSecret);
}

/**
 * Sends the secret as HTTP Basic authentication, encoded as in a form (RFC 6749, section 2.3.1). The characters
 * `-._~` stay as they are: many servers compare the encoded text with the secret, and a form never has to encode them.
 */
function toBasicAuth(clientSecret: string): ClientAuth {
  return (...[, client, , headers]) => {
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
