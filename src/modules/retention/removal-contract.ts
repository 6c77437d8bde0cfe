/** The numbers of rows that one removal has removed. */
export interface RemovalResult {
  turns: number;
  conversations: number;
  agents: number;
  workspaces: number;
  /** True when there is more to remove now. */
  more: boolean;
}

/** The activities of the workflow that removes rows. */
export interface RemovalSteps {
  /** Removes rows that were deleted or are too old, batch by batch, for half of the time that the activity has. */
  removeRecords: () => Promise<RemovalResult>;
}
