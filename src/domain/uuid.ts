const pattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Tells whether a text is a UUID, so that Postgres accepts it as an id. */
export function isUuid(text: string): boolean {
  return pattern.test(text);
}
