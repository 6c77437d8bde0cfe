/** Where a person is sent to give consent, and what is known of the server there. */
export interface AuthorizationTarget {
  /** Null when the endpoints were given and no issuer is known. */
  issuer: string | null;
  /** RFC 9207: whether its answers name it. */
  namesIssuer: boolean;
  authorizationUrl: string;
  tokenUrl: string;
  /** RFC 7591 */
  registrationUrl?: string;
  /** How clients may show who they are, as RFC 8414 names it. */
  clientAuthentications: readonly string[];
  /** RFC 8707: what the tokens are for. */
  resource?: string;
  scopes: readonly string[];
  /** More parameters of the authorization request. */
  parameters: Readonly<Record<string, string>>;
}
