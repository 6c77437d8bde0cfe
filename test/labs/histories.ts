import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isGrpcServiceError, type Client } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import proto from '@temporalio/proto';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/** The status of gRPC for a workflow that does not exist. */
const notFound = 5;

const folder = fileURLToPath(new URL('../histories/', import.meta.url));
const repository = fileURLToPath(new URL('../../', import.meta.url));

/** Reads the history of a turn's workflow from the server. That of a turn without a workflow has no events. */
export async function fetchTurnHistory({ client }: { client: Client }, turnId: string): Promise<History> {
  try {
    return await client.workflow.getHandle(`turn-${turnId}`).fetchHistory();
  } catch (error) {
    if (isGrpcServiceError(error) && (error.code as number) === notFound)
      return proto.temporal.api.history.v1.History.create();
    throw error;
  }
}

/** Returns all texts of a history, with payloads decoded by the encoding that they name. */
export function readHistoryTexts(history: History): string[] {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (value instanceof Uint8Array) texts.push(Buffer.from(value).toString('utf8'));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(history.events);
  return texts;
}

/** Returns the types of the activities that a history schedules, in their order. */
export function listScheduledActivities({ events }: History): (string | null | undefined)[] {
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled ? [scheduled.activityType?.name] : [],
  );
}

/** Saves the history of a turn as `recordWorkflow` does; nothing for a turn without a workflow. */
export async function recordHistory(lab: { client: Client }, name: string, turnId: string): Promise<void> {
  if ((await fetchTurnHistory(lab, turnId)).events?.length === 0) return;
  await recordWorkflow(lab, name, `turn-${turnId}`);
}

/**
 * Saves the history of a workflow in `test/histories` when `HOLDFAST_RECORD_HISTORIES` is set, and does nothing otherwise.
 * Names of the machine are replaced.
 */
export async function recordWorkflow(
  { client }: { client: Client },
  name: string,
  workflowId: string,
): Promise<void> {
  if (!process.env['HOLDFAST_RECORD_HISTORIES']) return;
  saveHistory(name, workflowId, await client.workflow.getHandle(workflowId).fetchHistory());
}

/**
 * Saves the histories of all runs of a turn that continued as new, as `recordWorkflow` does: `name-run-1` is that of the
 * first run.
 */
export async function recordRuns(
  { client }: { client: Client },
  name: string,
  turnId: string,
): Promise<void> {
  if (!process.env['HOLDFAST_RECORD_HISTORIES']) return;
  const workflowId = `turn-${turnId}`;
  const runs: History[] = [];
  for (let runId: string | undefined, isLast = true; isLast || runId; isLast = false) {
    const run = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    runs.unshift(run);
    runId = run.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? undefined;
  }
  for (const [index, run] of runs.entries()) saveHistory(`${name}-run-${index + 1}`, workflowId, run);
}

function saveHistory(name: string, workflowId: string, recorded: History): void {
  const history = JSON.parse(historyToJSON(recorded)) as unknown;
  const text = JSON.stringify({ workflowId, history }, null, 1)
    .replaceAll(/\d+@[^"]*?(?=["-])/g, (identity) => (identity.includes(hostname()) ? 'recorder' : identity))
    .replaceAll(hostname(), 'recorder')
    .replaceAll(repository, '');
  writeFileSync(path.join(folder, `${name}.json`), `${text}\n`);
}
