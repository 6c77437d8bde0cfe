import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { findSecretReference } from '../../../domain/secret-reference.ts';
import { isRequestCall, mappedCallParts } from '../../../domain/routine-call.ts';
import { checkUse, type Walk } from './check-walk.ts';

/** The parts of a call that may have secrets: they are sent, and never shown. */
const sentParts = new Set(['headers', 'query', 'parameters', 'authentication']);

/**
 * Refuses `$secrets` wherever its value could be kept or shown: it may stand alone in what a call of HTTP or OpenAPI sends,
 * and in authentications. `$authorization` would show a secret, so it is refused everywhere.
 */
export function checkSecrets(walk: Walk, document: JsonObject): void {
  const rest = Object.entries(document).filter(([name]) => name !== 'document');
  visit(walk, Object.fromEntries(rest), { path: '', isSent: false });
}

interface Place {
  path: string;
  isSent: boolean;
}

function visit(walk: Walk, value: JsonValue | undefined, { path, isSent }: Place): void {
  if (typeof value === 'string') {
    checkText(walk, value, { path, isSent });
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(walk, item, { path: `${path}/${index}`, isSent });
    return;
  }
  if (!isJsonObject(value)) return;
  const sends = isRequestCall(value.call);
  for (const [name, field] of Object.entries(value)) {
    const place = `${path}/${name}`;
    if (name === 'metadata') continue;
    if (sends && name === 'with' && isJsonObject(field)) visitCall(walk, field, place);
    else visit(walk, field, { path: place, isSent: isSent || place === '/use/authentications' });
  }
}

function visitCall(walk: Walk, given: JsonObject, path: string): void {
  for (const [name, field] of Object.entries(given)) {
    const place = `${path}/${name}`;
    if (mappedCallParts.includes(name) && typeof field === 'string')
      visit(walk, field, { path: place, isSent: false });
    else if (isJsonObject(field) && (name === 'endpoint' || name === 'document'))
      visitCall(walk, field, place);
    else visit(walk, field, { path: place, isSent: sentParts.has(name) });
  }
}

function checkText(walk: Walk, text: string, { path, isSent }: Place): void {
  if (/\$authorization\b/.test(text))
    walk.refuse(path, '"$authorization" is not supported: it would show a secret');
  if (!/\$secrets\b/.test(text)) return;
  const found = findSecretReference(text);
  if (!isSent)
    walk.refuse(
      path,
      '"$secrets" may stand in "headers", "query" or "authentication" of a call of HTTP, and in "parameters" of one of OpenAPI',
    );
  else if (!found) walk.refuse(path, 'expected a secret alone, such as ${ $secrets.name.token }');
  else checkUse(walk, 'secrets', { name: found.name, path });
}
