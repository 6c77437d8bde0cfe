import { HoldfastApiError } from './holdfast-api-error.ts';
import {
  createHttpConnection,
  createMissingConnection,
  type HttpConnection,
  type HttpOptions,
  type HttpRequest,
} from './http-connection.ts';
import { createHttpTurns } from './http-turns.ts';
import { createAgents, createConversations, type Agents, type Conversations } from './resources.ts';
import { createTemporalTurns, type TemporalOptions } from './temporal-turns.ts';
import type { Turns, TurnTransport } from './turns.ts';

/** How to reach Holdfast: over HTTP, with a Temporal client, or both. */
export type HoldfastClientOptions =
  | (HttpOptions & { temporal?: TemporalOptions | undefined })
  | (Partial<Record<keyof HttpOptions, undefined>> & { temporal: TemporalOptions });

/** Everything that a program can ask of Holdfast. */
export interface HoldfastClient {
  agents: Agents;
  conversations: Conversations;
  turns: Turns;
  /**
   * Any other endpoint of the API, over HTTP: gives the `data` of the answer, which the caller knows the shape of.
   * @throws HoldfastApiError for every other answer and for none
   */
  request: <Data>(request: HttpRequest) => Promise<Data>;
}

/**
 * Makes a client. With `temporal`, turns are started, awaited and cancelled through that client; all the
 * rest goes over HTTP, and without `baseUrl` and `apiKey` it throws `HTTP_NOT_CONFIGURED`.
 * @throws TypeError when neither way is given, or the URL or the key is not one
 */
export function createHoldfastClient(options: HoldfastClientOptions): HoldfastClient {
  const connection = toConnection(options);
  const http = createHttpTurns(connection);
  const hasHttp = options.baseUrl !== undefined;
  const transport = options.temporal
    ? withFallback(createTemporalTurns(options.temporal), http, hasHttp)
    : {};
  return {
    agents: createAgents(connection),
    conversations: createConversations(connection),
    turns: { ...http, ...transport },
    request: async <Data>(request: HttpRequest) => (await connection.request(request)) as Data,
  };
}

type Given<Options> = { [Name in keyof Options]?: Options[Name] | undefined };

function toConnection(options: Given<HttpOptions> & { temporal?: unknown }): HttpConnection {
  const { baseUrl, apiKey = '' } = options;
  if (baseUrl !== undefined) return createHttpConnection({ ...options, baseUrl, apiKey });
  if (options.temporal !== undefined) return createMissingConnection();
  throw new TypeError('Expected baseUrl and apiKey, or temporal, or both; found neither.');
}

/** A turn that was started over HTTP is unknown to Temporal's submissions; HTTP knows every one. */
function withFallback(temporal: TurnTransport, http: Turns, hasHttp: boolean): TurnTransport {
  if (!hasHttp) return temporal;
  const orHttp = async <Result>(first: Promise<Result>, second: () => Promise<Result>) => {
    try {
      return await first;
    } catch (error) {
      if (error instanceof HoldfastApiError && error.code === 'NOT_FOUND') return second();
      throw error;
    }
  };
  return {
    start: (request) => temporal.start(request),
    wait: (turnId, options) => orHttp(temporal.wait(turnId, options), () => http.wait(turnId, options)),
    cancel: (turnId) => orHttp(temporal.cancel(turnId), () => http.cancel(turnId)),
  };
}
