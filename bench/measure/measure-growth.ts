import type { Say } from '../../src/main/dev/say.ts';
import { growConversation } from '../holdfast/grow-conversation.ts';
import type { Plan } from '../plan.ts';
import { ownRows, type BenchRow } from '../rows.ts';
import { toHistorySize } from './history-sizes.ts';
import { findSubmitter, type Stage } from '../stage.ts';
import { isWithin, median, quantile } from '../statistics.ts';

/** The figures of turns at one position of a conversation. */
export interface GrowthFigures {
  row: string;
  /** The number of the turn at which measuring begins. */
  position: number;
  medianMs: number;
  p95Ms: number;
  historyBytes: number;
  historyEvents: number;
}

/** How much the history of a turn may differ between the first and the last position. */
const historyTolerance = 0.05;

/** Measures the same turn early and late in a conversation. */
export async function measureGrowth(stage: Stage, plan: Plan['growth'], say: Say): Promise<GrowthFigures[]> {
  const figures: GrowthFigures[] = [];
  for (const position of plan.positions) {
    say(`  turn ${position} of a conversation`);
    for (const row of ownRows)
      figures.push(await measurePosition(stage, { row, position, turns: plan.turns }));
  }
  return figures;
}

/** Returns for each row whether the history of a turn keeps its size. */
export function checkGrowth(figures: GrowthFigures[]): { row: string; passed: boolean; sizes: number[] }[] {
  return [...new Set(figures.map(({ row }) => row))].map((row) => {
    const sizes = figures.filter((one) => one.row === row).map(({ historyBytes }) => historyBytes);
    const [first = NaN] = sizes;
    return { row, sizes, passed: sizes.every((size) => isWithin(first, size, historyTolerance)) };
  });
}

interface Position {
  row: BenchRow;
  position: number;
  turns: number;
}

async function measurePosition(stage: Stage, { row, position, turns }: Position): Promise<GrowthFigures> {
  const { client, databaseUrl, workers } = stage;
  const submitter = findSubmitter(stage, row);
  const order = { row, inFlight: 1 };
  const target = position === 1 ? {} : { conversationId: await grow() };
  const { latenciesMs, workflowIds } = await submitter.ask('runBatch', { ...order, ...target, turns });
  await workers.holdfast.ask('takeFirstSteps');
  const histories = await client.ask('readHistories', workflowIds);
  return {
    row: row.name,
    position,
    medianMs: median(latenciesMs),
    p95Ms: quantile(latenciesMs, 0.95),
    ...toHistorySize(histories),
  };

  async function grow(): Promise<string> {
    const conversationId = await client.ask('createConversation', row.execution);
    await submitter.ask('runBatch', { ...order, conversationId, turns: 1 });
    await growConversation(databaseUrl, { conversationId, turns: position - 1 });
    return conversationId;
  }
}
