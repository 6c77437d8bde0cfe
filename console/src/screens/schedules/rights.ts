import type { Schedule } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';

/** What a schedule can start. */
export type ActionKind = Schedule['action']['kind'];

/** Returns a function that says whether the person may create and change schedules that start this. */
export function useMaySchedule(): (kind: ActionKind) => boolean {
  const may = useMay();
  return (kind) => {
    if (!may('conversations:write')) return false;
    if (kind === 'routine') return may('routines:write');
    return kind === 'turn' || (may('replays:write') && may('conversations:read'));
  };
}
