/** A node of the flowchart. One with inner nodes is a task that contains tasks, and has an entry and an exit. */
export interface DrawnGraph {
  /** Short, and of letters and digits alone. */
  id: string;
  type: string;
  /** At most 60 characters; empty for a dot. */
  label: string;
  nodes: DrawnGraph[];
  edges: DrawnEdge[];
}

/** An arrow between two nodes. */
export interface DrawnEdge {
  sourceId: string;
  destinationId: string;
  /** Empty for none. */
  label: string;
}
