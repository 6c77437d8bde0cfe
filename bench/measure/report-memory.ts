import { toTable } from '../table.ts';
import type { MemoryFigures } from './measure-memory.ts';

/** Returns the lines of the report about the memory of a worker: its samples, and whether it is flat. */
export function toMemoryReport(title: string, { samples, growthMiB, flat }: MemoryFigures): string[] {
  const lines = samples.map(({ turns, residentMiB, heapMiB }) => [
    String(turns),
    residentMiB.toFixed(1),
    heapMiB.toFixed(1),
  ]);
  const growth = `${growthMiB.resident.toFixed(2)} MiB resident, ${growthMiB.heap.toFixed(2)} MiB heap`;
  return [
    title,
    toTable(['turns', 'resident MiB', 'heap MiB'], lines),
    `${flat ? 'PASS' : 'FAIL'}: flat; grows by ${growth} with 1000 turns after the first fifth`,
  ];
}
