import { LRUCache } from 'lru-cache';
import type { Tool, ToolEffect } from '../../../domain/tool.ts';
import type { FindProviderEntry, ProviderEntry } from '../../providers/provider-entry.ts';

const mostConnections = 1_000;

/** The effects of the operations of imported providers. */
export interface ImportedEffects {
  /**
   * Makes the effects of tools known to `effectOf`; tools of other kinds cost nothing. Effects that cannot be read are not
   * known, and count as `unsafe`.
   */
  load: (workspaceId: string, tools: readonly Tool[]) => Promise<void>;
  /** Returns the effect of an operation over a connection; undefined when it was not loaded. */
  effectOf: (connectionId: string, tool: string) => ToolEffect | undefined;
}

/** Creates the effects of imported operations. Only providers of a workspace are kept, not those of the catalogue. */
export function createImportedEffects(findEntry: FindProviderEntry): ImportedEffects {
  // A connection belongs to one workspace, and never changes its provider.
  const entries = new LRUCache<string, ProviderEntry>({ max: mostConnections });
  return {
    load: async (workspaceId, tools) => {
      for (const tool of tools) {
        const { provider, connectionId } = tool.type === 'mcp' ? tool.config : {};
        if (provider === undefined || connectionId === undefined || provider === 'mcp') continue;
        const entry = await findEntry({ workspaceId, name: provider }).catch(() => undefined);
        if (entry?.source === 'imported') entries.set(connectionId, entry);
        else entries.delete(connectionId);
      }
    },
    effectOf: (connectionId, tool) => entries.get(connectionId)?.effectOf(tool),
  };
}
