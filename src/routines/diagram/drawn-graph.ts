/** A node of the SDK's graph; one with nodes of its own is a task that has tasks. */
export interface DrawnGraph {
  id: string;
  type: string;
  label?: string | null;
  nodes?: DrawnGraph[];
  edges?: { sourceId: string; destinationId: string; label?: string | null }[];
}
