import { median, quantile } from '../statistics.ts';
import { toTable } from '../table.ts';
import { swarmConcurrency, swarmRows, type SwarmFigures } from './run-swarms.ts';

/** The most that a swarm may take, as a multiple of the same child workflows of the raw engine. */
const most = 1.5;

/** Returns the report as text with a table. */
export function toSwarmsReport({ startedAt, machine, count, ms }: SwarmFigures): string {
  const medianOf = (name: string) => median(ms[name] ?? []);
  const lines = swarmRows.map(({ name }) => {
    const times = ms[name] ?? [];
    return [
      name,
      ...[median(times), quantile(times, 0), quantile(times, 1)].map((time) => time.toFixed(0)),
      (median(times) / count).toFixed(1),
    ];
  });
  const checks = swarmRows.flatMap((row) => {
    if (row.kind !== 'swarm' || row.floor === undefined) return [];
    const ratio = medianOf(row.name) / medianOf(row.floor);
    const others = [swarmRows[0]?.name ?? '', `${row.execution} turns without a swarm`].map(
      (name) => `${(medianOf(row.name) / medianOf(name)).toFixed(2)} times that of ${name}`,
    );
    return [
      `${ratio <= most ? 'PASS' : 'FAIL'}: the time of a ${row.name} is ${ratio.toFixed(2)} times that of its child workflows alone; at most ${most}`,
      `      ${others.join(', ')}`,
    ];
  });
  return [
    `A swarm of ${count} subtasks, ${startedAt}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}`,
    `Load before: ${machine.loadBefore.toFixed(1)}`,
    `${count} turns of one call of a model that answers at once, ${swarmConcurrency} at the same time.`,
    '',
    toTable(['milliseconds', 'median', 'least', 'most', 'for each'], lines),
    '',
    ...checks,
  ].join('\n');
}
