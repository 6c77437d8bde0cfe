import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow/index.js';
import proto from '@temporalio/proto';
import { searchAttributeNames } from '../../contract/search-attributes.ts';
import type { Stuck, WorkflowRef } from '../../domain/stuck-workflow.ts';
import { toPreview } from '../../domain/text.ts';
import type { WorkKind } from './work-kind.ts';

const { WorkflowTaskFailedCause: Cause } = proto.temporal.api.enums.v1;
type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent;
type ListedWorkflow = proto.temporal.api.workflow.v1.IWorkflowExecutionInfo;

/** The timeout of a call to Temporal, in milliseconds. */
const deadlineMs = 5_000;

/** Enough events to hold the failures of tasks since the last completed one. Temporal records the first failure in a row only. */
const lastEvents = 100;

/** The limit for causes, in characters: the message of an error may hold a whole command. */
const mostOfCause = 1_000;

/** Failures of tasks that are part of normal work: the next attempt succeeds. */
const harmless: ReadonlySet<unknown> = new Set([
  Cause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
  Cause.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND,
  Cause.WORKFLOW_TASK_FAILED_CAUSE_FAILOVER_CLOSE_COMMAND,
  Cause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW,
]);

interface StuckEngineParts {
  client: Client;
  taskQueue: string;
  /** The kinds of stored work; workflows of other types are those of operators. */
  kinds: readonly Pick<WorkKind, 'kind' | 'workflows'>[];
}

/** Finds workflows whose tasks fail again and again, and ends them. */
export function createStuckEngine({ client, taskQueue, kinds }: StuckEngineParts) {
  const kindOf = new Map(
    kinds.flatMap(({ kind, workflows }) => workflows.map((type) => [type, kind] as const)),
  );
  const within = <Result>(run: () => Promise<Result>) => client.withDeadline(Date.now() + deadlineMs, run);
  let next: OpenPage | null = null;
  return {
    /**
     * Lists the next workflows of the task queue that were open for `ageMs`, from the newest to the oldest over several
     * calls, and then again from the newest.
     */
    listNextOpen: async ({ ageMs, limit }: { ageMs: number; limit: number }): Promise<WorkflowRef[]> => {
      const page = next ?? { query: toOpenQuery(taskQueue, ageMs), token: null };
      // A list that fails, such as by a token of a server that was replaced, begins anew.
      next = null;
      const { executions, nextPageToken } = await within(() =>
        client.workflowService.listWorkflowExecutions({
          ...{ namespace: client.options.namespace, query: page.query, pageSize: limit },
          ...(page.token && { nextPageToken: page.token }),
        }),
      );
      if (nextPageToken.length > 0) next = { query: page.query, token: nextPageToken };
      return executions.flatMap((execution) => toOpenWorkflow(execution, kindOf));
    },

    /** Returns the failure of the task that a workflow cannot complete; null when it progresses, waits or has ended. */
    findTaskFailure: (workflowId: string): Promise<Stuck | null> =>
      within(() => findTaskFailure(client, workflowId)),

    /** Terminates a workflow, unless it has ended. */
    terminateWorkflow: async (workflowId: string, reason: string): Promise<void> => {
      try {
        await within(() => client.workflow.getHandle(workflowId).terminate(reason));
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },
  };
}

interface OpenPage {
  query: string;
  token: Uint8Array | null;
}

function toOpenQuery(taskQueue: string, ageMs: number): string {
  const startedBefore = new Date(Date.now() - ageMs).toISOString();
  return `TaskQueue = ${JSON.stringify(taskQueue)} AND ExecutionStatus = 'Running' AND StartTime < '${startedBefore}'`;
}

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

/** Leaves out workflows of no workspace: the sweeper's, which each worker looks after. */
function toOpenWorkflow(
  { execution, type, searchAttributes }: ListedWorkflow,
  kindOf: ReadonlyMap<string, string>,
): WorkflowRef[] {
  const workflowId = execution?.workflowId ?? '';
  const data = searchAttributes?.indexedFields?.[searchAttributeNames.workspace]?.data;
  if (!data) return [];
  const workspaceId = JSON.parse(Buffer.from(data).toString('utf8')) as string;
  const kind = kindOf.get(type?.name ?? '') ?? 'workflow';
  return [{ workflowId, workspaceId, kind, subjectId: uuid.exec(workflowId)?.[0] ?? null }];
}

/** Returns the failure of the task that a workflow cannot complete; null when it progresses, waits or has ended. */
export async function findTaskFailure(client: Client, workflowId: string): Promise<Stuck | null> {
  const described = await describe(client, workflowId);
  const task = described?.raw.pendingWorkflowTask;
  if (!described || described.status.name !== 'RUNNING' || !task) return null;
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId, runId: described.runId },
    maximumPageSize: lastEvents,
  });
  const failures = listFailures(history?.events ?? []);
  const [last] = failures;
  const first = failures.at(-1);
  if (!last || !first) return null;
  // One task that timed out is that of a worker that has died.
  const attempts = (task.attempt ?? 1) + failures.length - 1;
  if (last.workflowTaskTimedOutEventAttributes && attempts < 3) return null;
  return { since: toTime(first), cause: toPreview(await toCause(client, last), mostOfCause) };
}

async function describe(client: Client, workflowId: string) {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** Lists the failures of tasks since the last completed one, the newest first. */
function listFailures(newestFirst: HistoryEvent[]): HistoryEvent[] {
  const completed = newestFirst.findIndex((event) => event.workflowTaskCompletedEventAttributes);
  return newestFirst
    .slice(0, completed < 0 ? newestFirst.length : completed)
    .filter(
      ({ workflowTaskFailedEventAttributes: failed, workflowTaskTimedOutEventAttributes: timedOut }) =>
        timedOut ?? (failed && !harmless.has(failed.cause)),
    );
}

function toTime({ eventTime }: HistoryEvent): string {
  const seconds = Number(eventTime?.seconds ?? 0);
  return new Date(seconds * 1000 + (eventTime?.nanos ?? 0) / 1e6).toISOString();
}

async function toCause(client: Client, { workflowTaskFailedEventAttributes: failed }: HistoryEvent) {
  if (!failed) return 'The workflow task timed out.';
  const converter = client.options.loadedDataConverter;
  const error = await decodeOptionalFailureToOptionalError(converter, failed.failure);
  return error?.message ?? Cause[failed.cause ?? 0] ?? 'unknown';
}
