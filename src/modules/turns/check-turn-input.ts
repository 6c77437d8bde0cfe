import { createInvalidInput } from '../../domain/errors.ts';
import type { TurnInput } from '../../domain/turn.ts';
import type { TurnDependencies, TurnPrincipal } from './turn-dependencies.ts';

/**
 * Checks that only a message that steers may not wait, and that answers can be checked with the response schema of a turn,
 * when it has one.
 * @throws HoldfastError `INVALID_INPUT`
 */
export async function checkTurnInput(
  { checksOf }: Pick<TurnDependencies, 'checksOf'>,
  { workspaceId }: TurnPrincipal,
  { onBusy, now = false, responseSchema }: Pick<TurnInput, 'onBusy' | 'now' | 'responseSchema'>,
): Promise<void> {
  if (now && onBusy !== 'steer') {
    throw createInvalidInput([{ field: 'now', message: 'expected with "onBusy": "steer" only' }]);
  }
  if (!responseSchema) return;
  const message = await checksOf(workspaceId).findSchemaProblem(responseSchema);
  if (message !== null) throw createInvalidInput([{ field: 'responseSchema', message }]);
}
