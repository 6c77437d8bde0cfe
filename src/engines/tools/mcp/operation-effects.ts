import { LRUCache } from 'lru-cache';
import type { Tool, ToolEffect } from '../../../domain/tool.ts';
import type { FindProviderEntry, ProviderEntry } from '../../providers/provider-entry.ts';

const mostConnections = 1_000;

/** A connection with the provider that a tool names for it. */
interface ProviderConnection {
  provider: string;
  connectionId: string;
}

/** The effects of the operations of providers. */
export interface OperationEffects {
  /**
   * Makes the effects of tools known to `effectOf`; tools of other kinds cost nothing. Effects that cannot be read are not
   * known, and count as `unsafe`.
   */
  load: (workspaceId: string, tools: readonly Tool[]) => Promise<void>;
  /** Returns the effect of an operation over a connection; undefined when it was not loaded. */
  effectOf: (connection: ProviderConnection, tool: string) => ToolEffect | undefined;
}

/** Creates the effects of operations of the catalogue and of the providers that workspaces have imported. */
export function createOperationEffects(findEntry: FindProviderEntry): OperationEffects {
  // A connection belongs to one workspace, and never changes its provider.
  const entries = new LRUCache<string, ProviderEntry>({ max: mostConnections });
  const toKey = ({ provider, connectionId }: ProviderConnection) => `${connectionId} ${provider}`;
  return {
    load: async (workspaceId, tools) => {
      for (const tool of tools) {
        const { provider, connectionId } = tool.type === 'mcp' ? tool.config : {};
        if (provider === undefined || connectionId === undefined || provider === 'mcp') continue;
        const entry = await findEntry({ workspaceId, name: provider }).catch(() => undefined);
        const key = toKey({ provider, connectionId });
        if (entry) entries.set(key, entry);
        else entries.delete(key);
      }
    },
    effectOf: (connection, tool) => entries.get(toKey(connection))?.effectOf(tool),
  };
}
