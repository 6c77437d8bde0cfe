import type { CanaryDetector } from './canary-detector.ts';

/**
 * Holds back of a text that is being written what may become a token, so that no part of one is ever shown.
 * Answers what may be shown of all pieces so far; null as soon as there is a token, and from then on.
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
