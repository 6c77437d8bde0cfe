import type { CanaryDetector } from './canary-detector.ts';

/**
 * Creates a guard for a streamed text, which takes the next piece and returns the text that may be shown now. The end
 * of the text is held back while it may be the beginning of a token. From the first whole token on it returns null.
 */
export function createAnswerGuard(detector: CanaryDetector): (piece: string) => string | null {
  let held = '';
  let isStopped = false;
  return (piece) => {
    if (isStopped) return null;
    const text = held + piece;
    const safe = detector.countSafe(text);
    isStopped = safe === null;
    if (safe === null) return null;
    held = text.slice(safe);
    return text.slice(0, safe);
  };
}
