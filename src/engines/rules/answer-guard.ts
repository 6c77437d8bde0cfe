import { createPace } from '../../domain/text-search.ts';
import type { CanaryDetector } from './canary-detector.ts';

/**
 * Creates a guard for a streamed text, which takes the next piece and returns the text that may be shown now. The end
 * of the text is held back while it may be the beginning of a token. From the first whole token on it returns null.
 */
export function createAnswerGuard(detector: CanaryDetector): (piece: string) => string | null {
  let held = '';
  let isStopped = false;
  let isDue = createPace();
  return (piece) => {
    if (isStopped) return null;
    held += piece;
    if (!isDue(held.length)) return '';
    const safe = detector.countSafe(held);
    isStopped = safe === null;
    if (safe === null) return null;
    const shown = held.slice(0, safe);
    held = held.slice(safe);
    isDue = createPace(held.length);
    return shown;
  };
}
