import { eventually } from './eventually.ts';
import type { TurnLab } from './turn-lab.ts';

/** Makes a version the current one of a lab's task queue, as soon as Temporal knows it. */
export async function makeCurrent(
  { client, taskQueue: deploymentName }: TurnLab,
  buildId: string,
): Promise<void> {
  const { namespace } = client.options;
  await eventually(
    () =>
      client.workflowService
        .setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId, identity: 'test' })
        .catch(() => undefined),
    (answer) => answer !== undefined,
  );
}

/** Returns the versions that have completed tasks of the last run of a turn. */
export async function listVersions({ client }: TurnLab, turnId: string): Promise<(string | undefined)[]> {
  const { events } = await client.workflow.getHandle(`turn-${turnId}`).fetchHistory();
  const completed = (events ?? []).flatMap((event) => event.workflowTaskCompletedEventAttributes ?? []);
  return [...new Set(completed.map(({ deploymentVersion }) => deploymentVersion?.buildId ?? undefined))];
}
