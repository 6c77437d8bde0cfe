/** The endpoint of an authorization server that issues tokens. */
export interface TokenTarget {
  /** Null when the endpoints were given and no issuer is known. */
  issuer: string | null;
  tokenUrl: string;
  /** How clients may authenticate, in the names of RFC 8414. */
  clientAuthentications: readonly string[];
}

/** The authorization server to which a person is sent to give consent. */
export interface AuthorizationTarget extends TokenTarget {
  /** Whether its answers carry `iss` (RFC 9207). */
  namesIssuer: boolean;
  authorizationUrl: string;
  /** Where tokens are refreshed. @default `tokenUrl` */
  refreshUrl?: string;
  /** The endpoint that registers clients (RFC 7591). */
  registrationUrl?: string;
  /** Whether it takes the URL of a client's metadata document as `client_id`. @default false */
  readsClientMetadata?: boolean;
  /** The resource that the tokens are for (RFC 8707). */
  resource?: string;
  scopes: readonly string[];
  /** @default ' ' */
  scopeSeparator?: ' ' | ',';
  /** Additional parameters of the authorization request. */
  parameters: Readonly<Record<string, string>>;
}
