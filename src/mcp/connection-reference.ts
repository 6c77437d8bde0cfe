/** A connection by its id alone; it may be gone already. */
export interface ConnectionReference {
  workspaceId: string;
  connectionId: string;
}

/** The `id` that `toEndpoint` gives the server behind a connection. */
export function toConnectionEndpointId({ workspaceId, connectionId }: ConnectionReference): string {
  return JSON.stringify(['connection', workspaceId, connectionId]);
}
