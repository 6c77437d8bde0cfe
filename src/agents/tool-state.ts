import type { ToolPin } from '../db/agents/tool-pin-repository.ts';
import type { InnerTool, ToolState } from '../domain/discovered-tool.ts';
import type { Tool } from '../domain/tool.ts';
import { diffDefinitions } from '../tools/tool-definition.ts';

/** Whether a tool may be called, and how its server's definition differs from the one it is kept to. */
export function toToolState(
  { settings }: Pick<Tool, 'settings'>,
  pin: ToolPin | null | undefined,
): ToolState {
  const drift = pin?.drift ?? null;
  const enabled = settings?.enabled !== false;
  return {
    status: drift ? 'quarantined' : enabled ? 'active' : 'disabled',
    pinnedHash: pin?.hash ?? null,
    drift: pin && drift ? toDrift(pin, drift) : null,
  };
}

/** The tools that were called through a gateway; what is off is the gateway, not they. */
export function toInnerTools(pins: ToolPin[]): InnerTool[] {
  return pins.map((pin) => ({ target: pin.target ?? '', state: toToolState({}, pin) }));
}

function toDrift(pin: ToolPin, drift: NonNullable<ToolPin['drift']>): NonNullable<ToolState['drift']> {
  return {
    hash: drift.hash,
    detectedAt: drift.detectedAt,
    changes: diffDefinitions(pin.definition, drift.definition),
  };
}
