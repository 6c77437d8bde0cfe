/** The place of a secret in a request: a header (with text before it), a query parameter, or a segment of the path. */
export type KeyLocation = { title: string } & (
  | { header: string; prefix?: string }
  | { query: string }
  /** `{name}` in the base URL stands for it. */
  | { path: true }
);

/** The places of the secrets of a connection with auth of type `keys`, by name. */
export type KeyPlaces = Readonly<Record<string, KeyLocation>>;
