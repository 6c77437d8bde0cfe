import { readData } from './http-answer.ts';
import {
  createApiTransport,
  createMissingTransport,
  type HttpOptions,
  type HttpRequest,
  type ApiTransport,
} from './api-transport.ts';
import { createHttpChanges, type Changes } from './http-changes.ts';
import { createHttpRecordings, type Recordings } from './http-recordings.ts';
import { createHttpReplays, type Replays } from './http-replays.ts';
import { createHttpTurns, type Turns } from './http-turns.ts';
import { createResources, type Resources } from './resources.ts';
import type { TurnTransport } from './turn-transport.ts';

/** How to reach Holdfast: over HTTP, by another way for turns, or both. */
export type HoldfastClientOptions =
  | (HttpOptions & { turns?: TurnTransport | undefined })
  | (Partial<Record<keyof HttpOptions, undefined>> & { turns: TurnTransport });

/** Everything that a program can ask of Holdfast. */
export interface HoldfastClient extends Omit<Resources, 'turns' | 'replays'> {
  readonly turns: Turns;
  readonly replays: Replays;
  readonly recordings: Recordings;
  readonly changes: Changes;
  /**
   * Sends any other request and returns the `data` of the answer, which the caller knows the shape of.
   * @throws HoldfastApiError when the API refuses or does not answer
   */
  request: <Data>(request: HttpRequest) => Promise<Data>;
}

/**
 * Makes a client. With `turns` (such as `createTemporalTurns` of `holdfast/temporal-client` gives), turns are started,
 * awaited and cancelled by that; everything else goes over HTTP, and without `baseUrl` and `apiKey` it throws
 * `HTTP_NOT_CONFIGURED`.
 * @throws TypeError when neither way is given, or the URL or the key is not one
 */
export function createHoldfastClient(options: HoldfastClientOptions): HoldfastClient {
  const transport = toTransport(options);
  const resources = createResources(transport);
  const http = createHttpTurns(transport, resources.turns);
  const hasHttp = options.baseUrl !== undefined;
  const other = options.turns && withFallback(options.turns, hasHttp ? http : undefined);
  return {
    ...resources,
    turns: { ...http, ...other },
    recordings: createHttpRecordings(transport),
    changes: createHttpChanges(transport),
    replays: createHttpReplays(transport, resources.replays),
    request: async <Data>(request: HttpRequest) => (await transport.send(request, readData)) as Data,
  };
}

type Given<Options> = { [Name in keyof Options]?: Options[Name] | undefined };

function toTransport(options: Given<HttpOptions> & { turns?: unknown }): ApiTransport {
  const { baseUrl, apiKey = '' } = options;
  if (baseUrl !== undefined) return createApiTransport({ ...options, baseUrl, apiKey });
  if (options.turns !== undefined) return createMissingTransport();
  throw new TypeError('Expected baseUrl and apiKey, or turns, or both; found neither.');
}

/** The other way may not know a turn that was started over HTTP; HTTP knows every turn. */
function withFallback(turns: TurnTransport, http: TurnTransport | undefined): TurnTransport {
  const orHttp = async <Result>(first: Promise<Result>, second: (http: TurnTransport) => Promise<Result>) => {
    try {
      return await first;
    } catch (error) {
      // By code, not by class: the other way may come with its own copy of this package.
      const isUnknown = error instanceof Error && 'code' in error && error.code === 'NOT_FOUND';
      if (http && isUnknown) return second(http);
      throw error;
    }
  };
  return {
    start: (request) => turns.start(request),
    wait: (turnId, options) => orHttp(turns.wait(turnId, options), (other) => other.wait(turnId, options)),
    cancel: (turnId) => orHttp(turns.cancel(turnId), (other) => other.cancel(turnId)),
  };
}
