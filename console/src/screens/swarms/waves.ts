import type { Subtask } from '../../api/types.ts';

/**
 * Orders subtasks into waves: each stands after all that it depends on, and those of one wave may run at the same time. What
 * depends on itself, which the API refuses, stands in the last wave.
 */
export function toWaves(subtasks: readonly Subtask[]): Subtask[][] {
  const waves: Subtask[][] = [];
  const known = new Set(subtasks.map(({ id }) => id));
  const placed = new Set<string>();
  let left = [...subtasks];
  while (left.length > 0) {
    const isReady = ({ depends_on: needed }: Subtask) =>
      needed.every((id) => placed.has(id) || !known.has(id));
    const ready = left.filter(isReady);
    const wave = ready.length > 0 ? ready : left;
    left = left.filter((subtask) => !wave.includes(subtask));
    for (const { id } of wave) placed.add(id);
    waves.push(wave);
  }
  return waves;
}
