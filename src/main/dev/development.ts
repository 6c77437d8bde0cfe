/** The key and the ids for first requests. */
export interface Development {
  apiKey: string;
  workspaceId: string;
  conversationId: string;
  taskQueue: string;
}
