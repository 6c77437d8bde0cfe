import type { Right } from '../../domain/rights.ts';

/** The callers of an endpoint: those with a right, or everybody, with the reason why that is safe. */
export type Access = { right: Right; open?: undefined } | { open: string; right?: undefined };

/** Returns the options of an endpoint outside the REST API, which the OpenAPI document does not show. */
export function hidden(access: Access) {
  return { schema: { hide: true }, config: access };
}
