import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Client, type WorkflowExecutionInfo, WorkflowNotFoundError } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { cleanHistory } from './clean-history.ts';
import { ownTypes } from './mask-value.ts';
import type { SavedHistory } from './saved-history.ts';

interface ExportOptions {
  client: Client;
  codec: PayloadCodec;
  taskQueue: string;
  /** The folder for the files, which is made. */
  folder: string;
  /** The most histories of each workflow type. */
  sample: number;
  /** The same number chooses the same workflows. */
  seed: number;
  /** Whether texts are masked. */
  masks: boolean;
}

/** The newest workflows of a type and a state among which the sample is drawn. */
const drawnFrom = 5_000;

const states = ['Running', 'Completed', 'Failed', 'Canceled', 'Terminated', 'ContinuedAsNew', 'TimedOut'];

/**
 * Writes histories of each type of workflow to files, one a run. The states of the runs have equal shares as far as there
 * are enough of each, since most runs complete in one way. Returns the count of each type.
 */
export async function exportHistories(options: ExportOptions): Promise<Map<string, number>> {
  mkdirSync(options.folder, { recursive: true });
  const counts = new Map<string, number>();
  for (const type of ownTypes) {
    const byState = await Promise.all(states.map((state) => listRuns(options, type, state)));
    const random = createRandom(options.seed);
    const chosen = takeInTurns(
      byState.map((runs) => shuffle(runs, random)),
      options.sample,
    );
    let count = 0;
    for (const run of chosen) if (await writeRun(options, run)) count += 1;
    counts.set(type, count);
  }
  return counts;
}

async function listRuns(
  { client, taskQueue }: ExportOptions,
  type: string,
  state: string,
): Promise<WorkflowExecutionInfo[]> {
  const query = `TaskQueue = '${taskQueue}' AND WorkflowType = '${type}' AND ExecutionStatus = '${state}'`;
  const runs: WorkflowExecutionInfo[] = [];
  for await (const run of client.workflow.list({ query })) {
    runs.push(run);
    if (runs.length === drawnFrom) break;
  }
  return runs;
}

/** Takes the first of each list, then the second, until there are enough. */
function takeInTurns<Item>(lists: Item[][], count: number): Item[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  );
  return turns.flat().slice(0, count);
}

function shuffle<Item>(items: Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((left, right) => left.place - right.place)
    .map(({ item }) => item);
}

/** A generator of numbers from 0 to 1 (mulberry32), since `Math.random` takes no seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Writes one history. Returns false when Temporal has removed it since it was listed. */
async function writeRun(
  { client, codec, folder, masks }: ExportOptions,
  { workflowId, runId, type }: WorkflowExecutionInfo,
): Promise<boolean> {
  try {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    await cleanHistory(history, { codec, masks });
    const saved = { workflowId, isMasked: masks, history: JSON.parse(historyToJSON(history)) as unknown };
    const name = `${type}-${workflowId}-${runId}.json`.replaceAll(/[^\w.-]/g, '_');
    writeFileSync(path.join(folder, name), `${JSON.stringify(saved satisfies SavedHistory, null, 1)}\n`);
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
