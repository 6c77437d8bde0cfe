import type { Say } from '../../src/main/dev/say.ts';
import type { Plan } from '../plan.ts';
import { rows } from '../rows.ts';
import { findSubmitter, type Stage } from '../stage.ts';
import { createRowMeasurement, type RowFigures } from './measure-row.ts';

const warmUpTurns = 15;

/** Measures all rows in small alternating rounds, so that other load on the machine affects all rows alike. */
export async function measureRows(stage: Stage, plan: Plan, say: Say): Promise<RowFigures[]> {
  const measurements = rows.map((row) => createRowMeasurement(stage, row));
  say('  warming up …');
  for (const row of rows) {
    await findSubmitter(stage, row).ask('runBatch', { row, inFlight: 8, turns: warmUpTurns * 4 });
    await stage.workers[row.kind].ask('takeFirstSteps');
  }
  for (let round = 1; round <= plan.latency.rounds; round++) {
    say(`  one turn at a time: round ${round} of ${plan.latency.rounds}`);
    for (const measurement of measurements) await measurement.runLatencyRound(plan.latency);
  }
  for (let round = 1; round <= plan.throughput.rounds; round++) {
    for (const inFlight of plan.throughput.inFlight) {
      say(`  ${inFlight} turns in flight: round ${round} of ${plan.throughput.rounds}`);
      for (const measurement of measurements) await measurement.runThroughputRound(plan.throughput, inFlight);
    }
  }
  const figures: RowFigures[] = [];
  for (const measurement of measurements) figures.push(await measurement.toFigures());
  return figures;
}
