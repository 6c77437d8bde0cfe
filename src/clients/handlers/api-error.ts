import type { HoldfastApiError } from '../client/index.ts';

/**
 * Returns true for an error of the client. By name and not by class, since an application may have the client of the
 * package `@holdfast/client`.
 */
export function isApiError(error: unknown): error is HoldfastApiError {
  return error instanceof Error && error.name === 'HoldfastApiError';
}
