import type { OpenConnection } from '../../domain/connection.ts';
import { fillUrlVariables } from '../../domain/url-variables.ts';
import type { Operation } from './define-operation.ts';
import type { Provider } from './define-provider.ts';

/**
 * Returns the address that a request goes to: the endpoint of the connection, else the operation's own, else that of the
 * provider with the variables of the connection.
 */
export function findBaseUrl(
  { baseUrl, connection }: Pick<OpenConnection, 'baseUrl' | 'connection'>,
  provider: Pick<Provider, 'baseUrl' | 'variables'>,
  operation: Pick<Operation, 'baseUrl'> = {},
): string {
  const own = connection.endpoint === null ? operation.baseUrl : undefined;
  return fillUrlVariables(own ?? baseUrl ?? provider.baseUrl, provider.variables, connection.variables);
}
