import type { AgentVersion } from '../../src/domain/agent.ts';
import type { CallRecord, ModelCall, Sampling } from '../../src/domain/model.ts';

interface CallSource {
  version: AgentVersion;
  /** The ordinal of the turn that the first message of the call is of. */
  firstOrdinal: number;
}

/** Records the parts of a model call that deviate from its agent version. */
export function toCallRecord(call: ModelCall, { version, firstOrdinal }: CallSource): CallRecord {
  const offered = new Set(call.tools.map(({ name }) => name));
  const enabled = version.tools.filter(({ settings }) => settings?.enabled !== false);
  const leftOut = enabled.map(({ name }) => name).filter((name) => !offered.has(name));
  return {
    toolChoice: call.toolChoice === 'none' ? 'none' : 'auto',
    leftOut: leftOut.length === 0 ? null : leftOut,
    sampling: toSampling(call),
    contextFrom: firstOrdinal > 1 ? firstOrdinal : null,
  };
}

function toSampling({ maxOutputTokens, temperature }: ModelCall): Sampling | null {
  const sampling: Sampling = {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
  };
  return Object.keys(sampling).length === 0 ? null : sampling;
}
