import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';

/** The address of the Temporal server that all tests of a run share; its namespace is `default`. */
export function temporalAddress(): string {
  return inject('temporalAddress');
}

/** A task queue that no other test uses. */
export function uniqueTaskQueue(name = 'test'): string {
  return `${name}-${randomUUID()}`;
}
