/** The numbers of rows that one removal has removed. */
export interface RemovalResult {
  turns: number;
  conversations: number;
  agents: number;
  workspaces: number;
  /** True when there is more to remove now. */
  more: boolean;
}
