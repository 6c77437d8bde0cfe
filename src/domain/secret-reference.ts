import { isJsonObject, type JsonValue } from './json.ts';

/** A field of a secret: `name` is that of a connection, `field` such as `token` or `password`. */
export interface SecretField {
  name: string;
  field: string;
}

/** A place in a value that is to have a secret, by the names and indexes that lead there. */
export interface SecretLocation extends SecretField {
  at: string[];
}

const reference =
  /^\s*\$\{\s*\$secrets(?:\.([A-Za-z_]\w*)|\."([^"\\]+)"|\.?\[\s*"([^"\\]+)"\s*\])\.([A-Za-z_]\w*)\s*\}\s*$/;

/**
 * Reads a text that stands for a field of a secret, `${ $secrets.name.field }` or `${ $secrets["a name"].field }`; null for
 * every other text.
 */
export function findSecretReference(text: string): SecretField | null {
  const [, plain, quoted, indexed, field] = reference.exec(text) ?? [];
  const name = plain ?? quoted ?? indexed;
  return name === undefined || field === undefined ? null : { name, field };
}

/** Lists the places of a value that stand for secrets. */
export function listSecretPlaces(value: JsonValue, at: string[] = []): SecretLocation[] {
  if (typeof value === 'string') {
    const found = findSecretReference(value);
    return found ? [{ at, ...found }] : [];
  }
  const fields = Array.isArray(value) || isJsonObject(value) ? Object.entries(value) : [];
  return fields.flatMap(([name, field]) => listSecretPlaces(field ?? null, [...at, name]));
}
