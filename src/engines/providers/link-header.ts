/** Returns the address of `rel="next"` in a `Link` header (RFC 8288); undefined when there is none. */
export function readLinkHeader(header: string | null): string | undefined {
  const links = header?.matchAll(/<([^>]*)>([^<]*)/g) ?? [];
  for (const [, url, parameters = ''] of links)
    if (/;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?=[\s";,]|$)/i.test(parameters)) return url;
  return undefined;
}
