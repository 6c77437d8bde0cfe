export {
  createHoldfastClient,
  type HoldfastClient,
  type HoldfastClientOptions,
} from './create-holdfast-client.ts';
export { HoldfastApiError, type ClientErrorCode } from './holdfast-api-error.ts';
export type * from './generated/types.ts';
export type { CallOptions } from './call-options.ts';
export type { Change, ChangeEvent, Changes } from './http-changes.ts';
export type { Reconnect, StreamOptions } from './event-stream.ts';
export type { EventPayload, ReceivedEvent, StreamChunk } from './received-event.ts';
export type { ReplayEvent, Replays } from './http-replays.ts';
export type { HttpOptions, HttpRequest } from './api-transport.ts';
export type { ImportReport, RecordingFilter, Recordings } from './http-recordings.ts';
export type { Turns } from './http-turns.ts';
export type { Page, PageRequest } from './resource-page.ts';
export type { NewAgent, Resources } from './resources.ts';
export type { RetryOptions } from './retry-policy.ts';
export type { StartedTurn, StartTurnRequest, TurnTransport, WaitOptions } from './turn-transport.ts';
