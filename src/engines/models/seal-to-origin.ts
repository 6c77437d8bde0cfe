import { HoldfastError } from '../../domain/errors.ts';

/**
 * Returns a fetch that reaches the origin of a model's address and no other one.
 * @throws HoldfastError `EGRESS_REFUSED` for any other address
 */
export function sealToOrigin(request: typeof fetch, baseUrl: string): typeof fetch {
  const { origin } = new URL(baseUrl);
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin === origin) return request(input, init);
    const message = `A replay reaches only the address of its model, ${origin}, and not ${url.origin}.`;
    return Promise.reject(new HoldfastError('EGRESS_REFUSED', message));
  };
}
