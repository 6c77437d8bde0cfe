import type { GetSessionResponse } from './types.ts';

/** Who uses the page, and what it may do. */
export type Identity = GetSessionResponse;

/** A right to a group of requests, such as `agents:write`. */
export type Scope = Identity['scopes'][number];
