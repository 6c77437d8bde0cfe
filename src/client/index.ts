export {
  createHoldfastClient,
  type HoldfastClient,
  type HoldfastClientOptions,
} from './create-holdfast-client.ts';
export { HoldfastApiError, type ClientErrorCode } from './holdfast-api-error.ts';
export type { ReceivedEvent, Reconnect, StreamOptions } from './event-stream.ts';
export type { HttpOptions, HttpRequest } from './http-connection.ts';
export type { Agents, Conversations, NewAgent, Page, PageRequest } from './resources.ts';
export type { RetryOptions } from './retry.ts';
export type { TemporalOptions } from './temporal-turns.ts';
export type { StartedTurn, StartTurnRequest, Turns, TurnTransport, WaitOptions } from './turns.ts';
