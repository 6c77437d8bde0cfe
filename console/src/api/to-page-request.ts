import type { PageRequest } from './types.ts';

/** The part of a list at a cursor; the first one for an empty cursor. */
export const toPageRequest = (cursor: string): PageRequest => ({
  limit: 100,
  ...(cursor === '' ? {} : { cursor }),
});
