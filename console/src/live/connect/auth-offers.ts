import type { CreateConnectionData, GetProviderResponse } from '../../api/types.ts';

/** The credentials of a connection as the API takes them. */
export type Auth = NonNullable<CreateConnectionData['body']['auth']>;

/** A type of auth that a server takes, and its fields. */
export type AuthOffer = GetProviderResponse['auth']['types'][number];

type AuthField = AuthOffer['fields'][number];

/** The fields of auth as a person has filled them in. */
export interface AuthDraft {
  type: AuthOffer['type'];
  /** By the names of the fields, such as `values.apiKey`. */
  values: Readonly<Record<string, string>>;
}

const names: Readonly<Record<string, string>> = {
  none: 'None',
  bearer: 'Token',
  api_key: 'Key in a header',
  basic: 'User name and password',
  keys: 'Keys',
  oauth2_client_credentials: 'OAuth by a secret',
  oauth2_authorization_code: 'OAuth by consent',
};

/** A type of auth as people read it. */
export const toAuthName = (type: unknown): string => names[String(type)] ?? String(type);

const field = (name: string, label: string, more: Partial<AuthField> = {}): AuthField => ({
  ...{ name, label, secret: false, required: false },
  ...more,
});

const secret = { secret: true, required: true };

/** No auth. */
export const noAuth: AuthOffer = { type: 'none', fields: [] };

/** A token or a key that is sent as one. */
export const tokenAuth = (label: string): AuthOffer => ({
  type: 'bearer',
  fields: [field('token', label, secret)],
});

/** The types of auth of any server over HTTP. */
export const plainAuth: readonly AuthOffer[] = [
  noAuth,
  tokenAuth('Token'),
  {
    type: 'api_key',
    fields: [
      field('key', 'Key', secret),
      field('header', 'Header', { value: 'X-Api-Key' }),
      field('prefix', 'Before the key'),
    ],
  },
  {
    type: 'basic',
    fields: [field('username', 'User name', { required: true }), field('password', 'Password', secret)],
  },
];

/** The types of auth of an MCP server, which says by itself where its authorization server is. */
export const mcpAuth: readonly AuthOffer[] = [
  ...plainAuth,
  {
    type: 'oauth2_authorization_code',
    fields: [
      field('clientId', 'Client id (without one Holdfast registers itself)'),
      field('clientSecret', 'Client secret', { secret: true }),
      field('issuer', 'Authorization server (without one it is found)'),
      field('scopes', 'Scopes, with spaces between them (without any those that the server asks for)'),
    ],
  },
  {
    type: 'oauth2_client_credentials',
    fields: [
      field('clientId', 'Client id', { required: true }),
      field('clientSecret', 'Client secret', secret),
      field('issuer', 'Authorization server (without one it is found)'),
      field('scopes', 'Scopes, with spaces between them'),
    ],
  },
];

/** The draft of an offer, with the values that it brings along. */
export function toDraft({ type, fields }: AuthOffer): AuthDraft {
  return { type, values: Object.fromEntries(fields.map(({ name, value = '' }) => [name, value])) };
}

/** Returns true when every field that has to be filled in is. */
export function isComplete(draft: AuthDraft, offers: readonly AuthOffer[]): boolean {
  const fields = offers.find(({ type }) => type === draft.type)?.fields ?? [];
  return fields.every(({ name, required }) => !required || (draft.values[name] ?? '').trim() !== '');
}

/** Returns the auth of a draft; fields without a value are left out. */
export function toAuth({ type, values }: AuthDraft): Auth {
  const auth: Record<string, unknown> = { type };
  for (const [name, text] of Object.entries(values)) {
    if (text.trim() === '') continue;
    const [outer = name, inner] = name.split('.');
    if (inner !== undefined) auth[outer] = { ...(auth[outer] as object | undefined), [inner]: text };
    else auth[name] = name === 'scopes' ? text.trim().split(/[\s,]+/) : text;
  }
  return auth as Auth;
}
