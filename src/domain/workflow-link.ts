import { z } from 'zod';
import type { Viewer } from './actor.ts';
import { toViewerKey } from './row-scope.ts';

/** The workflow that does a work, and its page in the Temporal Web UI. */
export const workflowLinkSchema = z.object({
  /** Null for work that no workflow does, such as an imported turn or a message that waits. */
  workflowId: z.string().nullable(),
  /** Null without `HOLDFAST_TEMPORAL_UI_URL`, and for a person, who has no access to Temporal. */
  temporalUrl: z.string().nullable(),
});
export type WorkflowLink = z.infer<typeof workflowLinkSchema>;

/** Returns the address of the page of a workflow in the Temporal Web UI; null when no address of the UI is configured. */
export type ToTemporalUrl = (workflowId: string) => string | null;

interface TemporalUi {
  /** The address of the UI, without a slash at its end. */
  url: string | undefined;
  namespace: string;
}

/** Creates the function that returns the pages of workflows. The page without a run shows the newest one. */
export function createToTemporalUrl({ url, namespace }: TemporalUi): ToTemporalUrl {
  if (url === undefined) return () => null;
  const workflows = `${url}/namespaces/${encodeURIComponent(namespace)}/workflows`;
  return (workflowId) => `${workflows}/${encodeURIComponent(workflowId)}`;
}

/** Returns the link to a workflow as an actor sees it: a person gets no address. */
export function toWorkflowLink(
  { toTemporalUrl }: { toTemporalUrl: ToTemporalUrl },
  viewer: Pick<Viewer, 'reach' | 'actsFor'>,
  workflowId: string | null,
): WorkflowLink {
  const isShown = workflowId !== null && toViewerKey(viewer) === null;
  return { workflowId, temporalUrl: isShown ? toTemporalUrl(workflowId) : null };
}
