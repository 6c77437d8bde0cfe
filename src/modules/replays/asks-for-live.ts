import type { ReplayInput } from '../../domain/replay.ts';

/** Returns true for a replay that may really call tools. */
export function asksForLive({ toolAnswers, onMiss }: Pick<ReplayInput, 'toolAnswers' | 'onMiss'>): boolean {
  return onMiss === 'live_if_read_only' || Object.values(toolAnswers).includes('live');
}
