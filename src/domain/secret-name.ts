import { isJsonObject, type JsonValue } from './json.ts';

const secretName = /pass|secret|token|api_?key|authorization|credential|cookie/i;

/** Whether a field or argument of this name usually holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Replaces the values of all fields whose names say that they hold a secret. */
export function maskNamedSecrets(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(maskNamedSecrets);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      isSecretName(name) ? '[redacted]' : maskNamedSecrets(part),
    ]),
  );
}
