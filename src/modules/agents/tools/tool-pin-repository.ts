import type { Knex } from 'knex';
import type { ToolDefinition } from '../../../domain/discovered-tool.ts';
import { toStorableJson, toStorableText } from '../../../domain/storable.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';

interface PinRow {
  tool_id: string;
  target: string | null;
  hash: string;
  definition: ToolDefinition;
  pinned_at: Date;
  drift_hash: string | null;
  drift_definition: ToolDefinition | null;
  quarantined_at: Date | null;
}

/** A definition together with its hash. */
interface HashedDefinition {
  hash: string;
  definition: ToolDefinition;
}

/** The definition that a tool is pinned to, and the changed one (`drift`) that its server has sent since. */
export interface ToolPin extends HashedDefinition {
  toolId: string;
  /** `server:tool` for a tool behind a gateway; null for the agent's own. */
  target: string | null;
  drift: (HashedDefinition & { detectedAt: string }) | null;
}

/** A tool of an agent with a definition that it is pinned to, or compared with. */
export interface PinnedTool extends HashedDefinition {
  agentId: string;
  toolId: string;
  /** For a tool behind a gateway: which gateway, and which `server:tool`. */
  gatewayTarget?: { gatewayId: string; target: string };
}

/**
 * `pinned`: the tool had no pin and got one. `drifted`: this comparison quarantined the tool. `quarantined`: an earlier
 * one did.
 */
export type PinComparison = 'pinned' | 'same' | 'drifted' | 'quarantined';

/** The definitions that the tools of agents are pinned to. */
export function createToolPinRepository(trx: Knex) {
  return {
    /** Pins tools, replaces the pins that they had, and ends their quarantine. */
    pin: async (tools: PinnedTool[]): Promise<void> => {
      if (tools.length === 0) return;
      const lifted = { drift_hash: null, drift_definition: null, quarantined_at: null };
      await trx('tool_pins')
        .insert(tools.map((tool) => ({ ...toRow(tool), ...lifted, pinned_at: trx.fn.now() })))
        .onConflict(['agent_id', 'tool_id'])
        .merge();
    },

    /** Compares a tool with its pin and quarantines it when the hashes differ; pins it when it has no pin. */
    compare: (tool: PinnedTool): Promise<PinComparison> => compare(trx, tool),

    findPin: async (agentId: string, toolId: string): Promise<ToolPin | null> => {
      const row = await trx('tool_pins')
        .where({ agent_id: agentId, tool_id: toolId })
        .first<PinRow | undefined>();
      return row ? toPin(row) : null;
    },

    /** Lists the pins of the agent's own tools, by the id of the tool. */
    listPins: async (agentId: string): Promise<Map<string, ToolPin>> => {
      const rows = await trx('tool_pins')
        .where({ agent_id: agentId })
        .whereNull('gateway_id')
        .select<PinRow[]>();
      return new Map(rows.map((row) => [row.tool_id, toPin(row)]));
    },

    /** Lists the pins of the tools that were called through a gateway, in the order of their names. */
    listInnerPins: async (agentId: string, gatewayId: string): Promise<ToolPin[]> => {
      const rows = await trx('tool_pins')
        .where({ agent_id: agentId, gateway_id: gatewayId })
        .orderBy('target')
        .select<PinRow[]>();
      return rows.map(toPin);
    },

    /** Pins a tool to its changed definition. Returns false when the changed definition has another hash, or is none. */
    acceptDrift: async (agentId: string, toolId: string, driftHash: string): Promise<boolean> => {
      const accepted = await trx('tool_pins')
        .where({ agent_id: agentId, tool_id: toolId, drift_hash: driftHash })
        .update({
          hash: trx.ref('drift_hash'),
          definition: trx.ref('drift_definition'),
          pinned_at: trx.fn.now(),
          drift_hash: null,
          drift_definition: null,
          quarantined_at: null,
        });
      return accepted > 0;
    },

    /** Removes the pins of tools; the tools behind a gateway stay pinned. */
    removePins: async (agentId: string, toolIds: string[]): Promise<void> => {
      if (toolIds.length === 0) return;
      await trx('tool_pins').where({ agent_id: agentId }).whereIn('tool_id', toolIds).delete();
    },

    /** Removes the pins of tools and of the tools behind them. */
    forgetTools: async (agentId: string, toolIds: string[]): Promise<void> => {
      if (toolIds.length === 0) return;
      await trx('tool_pins')
        .where({ agent_id: agentId })
        .where((pin) => void pin.whereIn('tool_id', toolIds).orWhereIn('gateway_id', toolIds))
        .delete();
    },
  };
}

async function compare(trx: Knex, tool: PinnedTool): Promise<PinComparison> {
  const inserted = await trx('tool_pins')
    .insert(toRow(tool))
    .onConflict(['agent_id', 'tool_id'])
    .ignore()
    .returning('tool_id');
  if (inserted.length > 0) return 'pinned';
  const where = { agent_id: tool.agentId, tool_id: tool.toolId };
  const row = await trx('tool_pins').where(where).forUpdate().first<PinRow | undefined>();
  // The pin was removed since the insert, because the tool was removed or its config changed: the next call pins it.
  if (!row || row.quarantined_at !== null) return row ? 'quarantined' : 'same';
  if (row.hash === tool.hash) return 'same';
  await trx('tool_pins')
    .where(where)
    .update({
      drift_hash: tool.hash,
      drift_definition: toStorableJson(tool.definition),
      quarantined_at: trx.fn.now(),
    });
  return 'drifted';
}

function toRow({ agentId, toolId, hash, definition, gatewayTarget }: PinnedTool) {
  const row = { agent_id: agentId, tool_id: toolId, hash, definition: toStorableJson(definition) };
  return gatewayTarget
    ? { ...row, gateway_id: gatewayTarget.gatewayId, target: toStorableText(gatewayTarget.target) }
    : row;
}

function toPin(row: PinRow): ToolPin {
  const { drift_hash: hash, drift_definition: definition, quarantined_at: at } = row;
  return {
    toolId: row.tool_id,
    target: row.target,
    hash: row.hash,
    definition: row.definition,
    drift: hash && definition && at ? { hash, definition, detectedAt: at.toISOString() } : null,
  };
}

/** Reads the pins of tools in the steps of a turn. */
export function createToolPinReader(query: Query) {
  return {
    /** The ids of an agent's tools that must neither be offered nor called. */
    listQuarantined: async (agentId: string): Promise<string[]> =>
      (await query(listQuarantined, { agentId })).map(({ toolId }) => toolId),

    /** The hash that a tool is pinned to and whether it is quarantined; null when it is not pinned yet. */
    findPinnedHash: async (agentId: string, toolId: string) =>
      (await query(findPinnedHash, { agentId, toolId }))[0] ?? null,
  };
}

export type ToolPinReader = ReturnType<typeof createToolPinReader>;

const listQuarantined = defineStatement<{ agentId: string }, { toolId: string }>(
  'list_quarantined_tools',
  'SELECT tool_id AS "toolId" FROM tool_pins WHERE agent_id = :agentId AND quarantined_at IS NOT NULL',
);

const findPinnedHash = defineStatement<
  { agentId: string; toolId: string },
  { hash: string; quarantined: boolean }
>(
  'find_pinned_hash',
  `SELECT hash, quarantined_at IS NOT NULL AS quarantined FROM tool_pins
   WHERE agent_id = :agentId AND tool_id = :toolId`,
);
