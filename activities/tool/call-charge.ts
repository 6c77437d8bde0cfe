import type { Tool } from '../../src/domain/tool.ts';
import type { ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';

/** The credits of an ended call, as decimal text; none for a tool that has no price and reports none. */
export type CallCharge = Pick<ToolCallEnd, 'creditsUsed'>;

/**
 * Returns what an ended call costs: by the setting of its tool when the call took effect or may have, otherwise what the tool
 * reports. A call that had no effect costs what it reports, or nothing.
 */
export function chargeOf(tool: Tool | null, hadEffect: boolean, reported?: string): CallCharge {
  const price = tool?.settings?.credits;
  if (price === undefined) return reported === undefined ? {} : { creditsUsed: reported };
  return { creditsUsed: hadEffect ? price : (reported ?? '0') };
}
