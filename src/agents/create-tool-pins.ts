import type { Database } from '../db/connect-database.ts';
import { createAuditLog } from '../db/audit/audit-log.ts';
import { createToolPinReader, createToolPinRepository } from '../db/agents/tool-pin-repository.ts';
import type { PinCheck, ToolPins } from '../domain/discovered-tool.ts';
import type { RuleViolation } from '../domain/rules.ts';
import { toStorableText } from '../domain/storable.ts';
import { toInnerToolId } from '../lib/ids.ts';
import { hashDefinition, isTooDeep } from '../tools/tool-definition.ts';

/** Compares tools with their pins in the database. */
export function createToolPins(database: Pick<Database, 'pipelined' | 'inWorkspace'>): ToolPins {
  return {
    check: async (check) => {
      // Too deep to be hashed or stored; nobody could have accepted it.
      if (isTooDeep(check.definition)) return toViolation(check, 'nests its definition too deep');
      const hash = hashDefinition(check.definition);
      const pin = await database.pipelined(check.workspaceId, (query) =>
        createToolPinReader(query).findPinnedHash(check.agentId, toPinId(check)),
      );
      if (pin?.quarantined === false && pin.hash === hash) return null;
      if (pin?.quarantined) return toViolation(check);
      return (await compare(database, check, hash)) ? toViolation(check) : null;
    },
    listQuarantined: async ({ workspaceId, agentId }) =>
      new Set(
        await database.pipelined(workspaceId, (query) => createToolPinReader(query).listQuarantined(agentId)),
      ),
  };
}

/** Behind a gateway each tool has a pin of its own. */
function toPinId({ tool, target }: PinCheck): string {
  return target === undefined ? tool.id : toInnerToolId(tool.id, target);
}

/** True when the tool is quarantined; the step into quarantine is audited with it. */
function compare(database: Pick<Database, 'inWorkspace'>, check: PinCheck, hash: string): Promise<boolean> {
  const { workspaceId, agentId, tool, target, definition } = check;
  const gatewayTarget = target === undefined ? {} : { gatewayTarget: { gatewayId: tool.id, target } };
  return database.inWorkspace(workspaceId, async (trx) => {
    const pins = createToolPinRepository(trx);
    const comparison = await pins.compare({
      agentId,
      toolId: toPinId(check),
      hash,
      definition,
      ...gatewayTarget,
    });
    if (comparison === 'drifted') await recordQuarantine(trx, { ...check, hash });
    return comparison === 'drifted' || comparison === 'quarantined';
  });
}

/** Writes to the audit log that a tool was quarantined because its definition has become another. */
export async function recordQuarantine(
  trx: Parameters<typeof createAuditLog>[0],
  { agentId, tool, target, hash }: Pick<PinCheck, 'agentId' | 'tool' | 'target'> & { hash: string },
): Promise<void> {
  const gatewayTarget = target === undefined ? {} : { target: toStorableText(target) };
  const named = { tool_id: tool.id, tool_name: tool.name, ...gatewayTarget };
  await createAuditLog(trx).record({
    type: 'tool.quarantined',
    subjectId: agentId,
    payload: { ...named, drift_hash: hash },
  });
}

function toViolation(
  { tool, target }: Pick<PinCheck, 'tool' | 'target'>,
  what = 'now describes it differently than it was accepted',
): RuleViolation {
  const name = target ?? tool.name;
  return {
    rule: 'quarantine',
    message: `The tool "${name}" is quarantined: its server ${what}. An operator has to accept the change.`,
  };
}
