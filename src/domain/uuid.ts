const pattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns whether a text is a UUID, which Postgres accepts as an id. */
export function isUuid(text: string): boolean {
  return pattern.test(text);
}
