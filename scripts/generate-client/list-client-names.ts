import { routes } from '../../src/main/rest-routes.ts';
import type { ClientNames } from './grow-tree.ts';

/** The names in the client that routes give themselves, by operationId. */
export function listClientNames(): ClientNames {
  return Object.fromEntries(
    routes.flatMap(({ operationId, clientName }) =>
      clientName === undefined ? [] : [[operationId, clientName]],
    ),
  );
}
