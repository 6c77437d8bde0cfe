import { type Client, WorkflowExecutionAlreadyStartedError, type WorkflowOptions } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { searchAttributeNames } from '../../contract/search-attributes.ts';

/** The timeout of a start, in milliseconds. When a start fails, the sweep of its kind starts the stored work later. */
const startDeadlineMs = 5_000;

const workspaceKey = defineSearchAttributeKey(searchAttributeNames.workspace, 'KEYWORD');

/** How the workflow of one kind of stored work is started. */
interface WorkStart<Ref> {
  /** The type of the workflow, whose only argument is the reference to the work. */
  workflow: string;
  toWorkflowId: (work: Ref) => string;
  /** The signal that wakes a workflow that runs. @default a workflow that runs or has ended gets no signal */
  signal?: string;
  /** Tasks with lower numbers go first. Turns, whose users wait, have 3. @default 3 */
  priorityKey?: number;
  /** Work with the same key takes turns with that of other keys; at most 64 characters. @default the id of the workspace */
  toFairnessKey?: (work: Ref) => string;
}

/** More options of one start, such as its summary. */
type StartOptions = Pick<
  WorkflowOptions,
  'staticSummary' | 'workflowTaskTimeout' | 'workflowExecutionTimeout'
>;

/** A workflow whose only argument is the reference to its work. */
type WorkWorkflow = (work: never) => Promise<unknown>;
type RefOf<Workflow extends WorkWorkflow> = Parameters<Workflow>[0] & { workspaceId: string };

/**
 * Creates the start of stored work. It is idempotent: a workflow that was started before gets `signal`, if there is one.
 */
export function createWorkStart<Workflow extends WorkWorkflow>(
  { client, taskQueue }: { client: Client; taskQueue: string },
  { workflow, toWorkflowId, signal, priorityKey, toFairnessKey }: WorkStart<RefOf<Workflow>>,
): (work: RefOf<Workflow>, more?: StartOptions) => Promise<void> {
  return async (work, more = {}) => {
    const { workspaceId } = work;
    const fairnessKey = toFairnessKey ? toFairnessKey(work) : workspaceId;
    const options = {
      taskQueue,
      args: [work] as [unknown],
      workflowId: toWorkflowId(work),
      priority: { fairnessKey, ...(priorityKey === undefined ? {} : { priorityKey }) },
      typedSearchAttributes: new TypedSearchAttributes([{ key: workspaceKey, value: workspaceId }]),
      ...more,
    };
    await client.withDeadline(Date.now() + startDeadlineMs, async () => {
      if (signal === undefined) await startOnce(client, workflow, options);
      else await client.workflow.signalWithStart<Started>(workflow, { ...options, signal });
    });
  };
}

type Started = (work: unknown) => Promise<unknown>;

async function startOnce(
  client: Client,
  workflow: string,
  options: WorkflowOptions & { args: [unknown] },
): Promise<void> {
  try {
    await client.workflow.start<Started>(workflow, {
      ...options,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
