import { useMay } from '../../app/session.tsx';
import type { ActionKind } from './schedule-draft.ts';

/** Returns a function that says whether the person may create and change schedules that start this. */
export function useMaySchedule(): (kind: ActionKind) => boolean {
  const may = useMay();
  return (kind) => {
    if (!may('conversations:write')) return false;
    if (kind === 'routine') return may('routines:write');
    return kind === 'turn' || (may('replays:write') && may('conversations:read'));
  };
}
