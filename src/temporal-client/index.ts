export { createTemporalTurns, type TemporalOptions } from './create-temporal-turns.ts';
