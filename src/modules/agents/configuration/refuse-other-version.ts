import { HoldfastError } from '../../../domain/errors.ts';

/**
 * Refuses a change of another version of an agent than the present one.
 * @throws HoldfastError `CONFLICT` with the present version
 */
export function refuseOtherVersion(agentId: string, present: number, expected: number): void {
  if (present === expected) return;
  const message = `The agent ${agentId} has version ${present}, not ${expected}. Read it again and repeat the change.`;
  throw new HoldfastError('CONFLICT', message, { details: { version: present } });
}
