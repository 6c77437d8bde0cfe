import type { Database } from '../../../platform/database/connect-database.ts';
import { createToolPinReader, createToolPinRepository } from './tool-pin-repository.ts';
import type { PinCheck, ToolPins } from '../../../domain/discovered-tool.ts';
import type { RuleViolation } from '../../../domain/rules.ts';
import { toInnerToolId } from '../../../platform/lib/ids.ts';
import { hashDefinition, isTooDeep } from '../../../engines/tools/tool-definition.ts';
import { recordQuarantined } from '../agent-audit.ts';

/** Creates the check that quarantines a tool in the database when its server's definition is not the pinned one. */
export function createToolQuarantine(database: Pick<Database, 'pipelined' | 'inWorkspace'>): ToolPins {
  return {
    check: async (check) => {
      // A definition this deep can neither be hashed nor stored, so no operator could have accepted it.
      if (isTooDeep(check.definition)) return toViolation(check, 'nests its definition too deep');
      const hash = hashDefinition(check.definition);
      const pin = await database.pipelined(check.workspaceId, (query) =>
        createToolPinReader(query).findPinnedHash(check.agentId, toPinId(check)),
      );
      if (pin?.quarantined === false && pin.hash === hash) return null;
      if (pin?.quarantined) return toViolation(check);
      return (await quarantineIfDrifted(database, check, hash)) ? toViolation(check) : null;
    },
    listQuarantined: async ({ workspaceId, agentId }) =>
      new Set(
        await database.pipelined(workspaceId, (query) => createToolPinReader(query).listQuarantined(agentId)),
      ),
  };
}

/** Each tool behind a gateway has its own pin. */
function toPinId({ tool, target }: PinCheck): string {
  return target === undefined ? tool.id : toInnerToolId(tool.id, target);
}

/** Compares a tool with its pin in a transaction. Returns true when the tool is quarantined, now or already before. */
function quarantineIfDrifted(
  database: Pick<Database, 'inWorkspace'>,
  check: PinCheck,
  hash: string,
): Promise<boolean> {
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
    if (comparison === 'drifted') await recordQuarantined(trx, { ...check, hash });
    return comparison === 'drifted' || comparison === 'quarantined';
  });
}

function toViolation(
  { tool, target }: Pick<PinCheck, 'tool' | 'target'>,
  what = 'changed its definition after it was accepted',
): RuleViolation {
  const name = target ?? tool.name;
  return {
    rule: 'quarantine',
    message: `The tool "${name}" is quarantined: its server ${what}. An operator has to accept the change.`,
  };
}
