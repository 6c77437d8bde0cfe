export { HoldfastApiError } from '../client/holdfast-api-error.ts';
export { createTemporalTurns, type TemporalOptions } from './create-temporal-turns.ts';
