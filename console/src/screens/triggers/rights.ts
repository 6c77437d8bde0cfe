import type { Trigger } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';

/** Returns a function that says whether the person may create and change triggers that start this. */
export function useMayTrigger(): (kind: Trigger['action']['kind']) => boolean {
  const may = useMay();
  return (kind) => may('conversations:write') && (kind === 'turn' || may('routines:write'));
}
