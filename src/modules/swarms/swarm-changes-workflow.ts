import {
  ApplicationFailure,
  defineUpdate,
  proxyActivities,
  setHandler,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import { retryPauses as retry } from '../../contract/retry-limits.ts';
import type { ChangeSwarmInput, SwarmRef, SwarmStatusResult, SwarmSteps } from './swarm-contract.ts';

/** Changes the shared state of a swarm, for people who work with Temporal alone; the input is the body of the API. */
const updateSwarm = defineUpdate<SwarmStatusResult, [unknown]>('updateSwarm');

/** Ends a swarm. */
const endSwarm = defineUpdate<SwarmStatusResult, [unknown]>('endSwarm');

/** Lets nothing more begin until the swarm is resumed. */
const pauseSwarm = defineUpdate<SwarmStatusResult>('pauseSwarm');

/** Lets a paused swarm continue. */
const resumeSwarm = defineUpdate<SwarmStatusResult>('resumeSwarm');

/** A change that a person sends is tried for a minute, since the person waits. */
const { changeSwarm } = proxyActivities<SwarmSteps>({
  startToCloseTimeout: 30_000,
  scheduleToCloseTimeout: 60_000,
  retry,
});

const update =
  'Send { "subTasks": { "set": […], "delete": […] }, "blackboard": { … }, "teamConfig": { … } }.';
const ending = 'Send { "mode": "graceful" or "force", "reason": "…" }.';

/** Takes the changes that people send to the workflow of a swarm. */
export function takeChanges({ workspaceId, swarmId }: SwarmRef, wake: () => void): void {
  const change = async (command: ChangeSwarmInput['command'], body: unknown): Promise<SwarmStatusResult> => {
    const changed = await changeSwarm({ workspaceId, swarmId, command, body, key: uuid4() });
    wake();
    return changed;
  };
  setHandler(updateSwarm, (body) => change('update', body), {
    validator: (body) => refuseUnless(hasOnly(body, ['subTasks', 'blackboard', 'teamConfig']), update),
    description: 'Sets and deletes subtasks and items of the blackboard, and changes the team.',
  });
  setHandler(endSwarm, (body) => change('end', body ?? {}), {
    validator: (body) => refuseUnless(body === undefined || hasOnly(body, ['mode', 'reason']), ending),
    description: 'Ends the swarm: gracefully, when what runs is done, or by force, at once.',
  });
  setHandler(pauseSwarm, () => change('pause', {}), { description: 'Lets nothing more begin.' });
  setHandler(resumeSwarm, () => change('resume', {}), { description: 'Lets a paused swarm go on.' });
}

function refuseUnless(isRight: boolean, message: string): void {
  if (!isRight) throw ApplicationFailure.nonRetryable(message, 'INVALID_INPUT');
}

function hasOnly(body: unknown, fields: string[]): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return Object.keys(body).every((field) => fields.includes(field));
}

/** Ends a swarm whose workflow was cancelled, with all that runs in it. */
export async function endCancelled({ workspaceId, swarmId }: SwarmRef): Promise<void> {
  const body = { mode: 'force', reason: 'Its workflow was cancelled.' };
  await changeSwarm({ workspaceId, swarmId, command: 'end', body, key: workflowInfo().runId });
}
