import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { findExpression } from '../../../domain/simple-expression.ts';
import { checkUse, type Walk } from './check-walk.ts';

const credentialFields: Record<string, string[]> = { basic: ['username', 'password'], bearer: ['token'] };

/** Checks the authentications of `use`. */
export function checkAuthentications(walk: Walk): void {
  const { authentications } = walk.use;
  for (const [name, definition] of Object.entries(isJsonObject(authentications) ? authentications : {}))
    checkDefinition(walk, definition, `/use/authentications/${name}`);
}

/** Checks the authentications of a call of HTTP or OpenAPI. */
export function checkCallAuthentication(walk: Walk, given: JsonObject, path: string): void {
  const { endpoint, document } = given;
  const source = isJsonObject(document) ? document.endpoint : undefined;
  const places: [string, JsonValue | undefined][] = [
    ['/authentication', given.authentication],
    ['/endpoint/authentication', isJsonObject(endpoint) ? endpoint.authentication : undefined],
    ['/document/endpoint/authentication', isJsonObject(source) ? source.authentication : undefined],
  ];
  for (const [place, authentication] of places) {
    if (authentication === undefined) continue;
    // An expression could choose any connection of the workspace.
    if (!isJsonObject(authentication)) walk.refuse(`${path}${place}`, 'expected an object, no expression');
    else if (typeof authentication.use === 'string')
      checkUse(walk, 'authentications', { name: authentication.use, path: `${path}${place}/use` });
    else checkDefinition(walk, authentication, `${path}${place}`);
  }
}

function checkDefinition(walk: Walk, definition: JsonValue | undefined, path: string): void {
  for (const [scheme, fields] of Object.entries(isJsonObject(definition) ? definition : {})) {
    const place = `${path}/${scheme}`;
    if (!['basic', 'bearer', 'oauth2'].includes(scheme)) walk.refuse(place, 'is not supported');
    else if (isJsonObject(fields) && typeof fields.use === 'string')
      checkUse(walk, 'secrets', { name: fields.use, path: `${place}/use` });
    else if (scheme === 'oauth2')
      walk.refuse(
        place,
        'is not supported: store a connection of type oauth2_client_credentials, and name it with "use"',
      );
    else checkFields(walk, { scheme, fields: isJsonObject(fields) ? fields : {} }, place);
  }
}

/** Refuses credentials in a document, since everyone who may read the routine would get them. */
function checkFields(
  walk: Walk,
  { scheme, fields }: { scheme: string; fields: JsonObject },
  path: string,
): void {
  for (const name of credentialFields[scheme] ?? []) {
    const value = fields[name];
    if (name !== 'username' && (typeof value !== 'string' || findExpression(value) === null))
      walk.refuse(`${path}/${name}`, 'expected an expression, such as ${ $secrets.name.' + name + ' }');
  }
}
