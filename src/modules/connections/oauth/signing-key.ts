import { createPrivateKey, type KeyObject, type webcrypto } from 'node:crypto';

type SigningAlgorithm = webcrypto.RsaHashedImportParams | webcrypto.EcKeyImportParams | { name: 'Ed25519' };

/** The curves of JWS (RFC 7518, section 3.4), by their names in OpenSSL. */
const curves: Record<string, string> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

/** Returns the algorithm with which a private key signs (RS256, ES256, ES384, ES512, Ed25519); null for other keys. */
export function findSigningAlgorithm(key: KeyObject): SigningAlgorithm | null {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  if (type === 'ed25519') return { name: 'Ed25519' };
  const namedCurve = type === 'ec' ? curves[details?.namedCurve ?? ''] : undefined;
  return namedCurve === undefined ? null : { name: 'ECDSA', namedCurve };
}

/**
 * Reads a private key in PEM for signing.
 * @throws Error for a key that cannot sign
 */
export function readSigningKey(pem: string): webcrypto.CryptoKey {
  const key = createPrivateKey(pem);
  const algorithm = findSigningAlgorithm(key);
  if (!algorithm) throw new Error('the private key is of a type that cannot sign');
  return key.toCryptoKey(algorithm, false, ['sign']);
}
