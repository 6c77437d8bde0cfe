import type { Logger } from 'pino';
import type {
  CreateReplayServices,
  LiveAccess,
  LiveCall,
  LiveTools,
  ReplayServices,
} from '../../activities/replay/replay-services.ts';
import type { StepDependencies, StepTools } from '../../activities/step-dependencies.ts';
import { HoldfastError } from '../domain/errors.ts';
import { defaultLimits } from '../domain/limits.ts';
import type { CallLanguageModel } from '../domain/model.ts';
import type { RateLimiter } from '../domain/rate-limiter.ts';
import type { ReplayInput } from '../domain/replay.ts';
import type { ToolRun } from '../domain/tool.ts';
import { asksForLive } from '../modules/replays/asks-for-live.ts';
import { unmetered } from '../platform/lib/meter.ts';

interface ReplayParts {
  /** Reaches the address of the model and no other one. */
  callLanguageModel: CallLanguageModel;
  tools: StepTools;
  rateLimiter: RateLimiter;
  pipelined: StepDependencies['pipelined'];
  partFiles: StepDependencies['partFiles'];
  logger: Logger;
}

/** The longest time that a model call of a replay waits for the replay's own rate limit, in milliseconds. */
const longestWaitMs = 10 * 60_000;

/**
 * Builds the services of replays. Only a replay with live answers gets the services that run tools; a call is refused when a
 * second attempt could repeat an effect.
 */
export function createReplayServicesFactory(parts: ReplayParts): CreateReplayServices {
  const { pipelined, partFiles, logger, tools } = parts;
  const { checksOf, effectOf, loadEffects, summarize } = tools;
  return ({ workspaceId, replayId, input, access }): ReplayServices => ({
    ...{ pipelined, partFiles, logger, tools: { checksOf, effectOf, loadEffects, summarize } },
    callLanguageModel: (call) => unmetered(() => callLimited(parts, { replayId, input }, call)),
    live: access && asksForLive(input) ? createLiveTools(tools, { workspaceId, replayId, ...access }) : null,
  });
}

/** Calls the model within the rate limit of the replay, which all workers share. */
async function callLimited(
  { rateLimiter, callLanguageModel }: ReplayParts,
  { replayId, input }: { replayId: string; input: Pick<ReplayInput, 'modelCallsPerMinute'> },
  call: Parameters<CallLanguageModel>[0],
): ReturnType<CallLanguageModel> {
  const { modelCallsPerMinute } = input;
  if (modelCallsPerMinute !== undefined) {
    const limit = { tokensPerMinute: modelCallsPerMinute, tokensPerRequest: 1 };
    const grant = await rateLimiter.take({
      ...{ key: `replay:${replayId}`, limit, maxWaitMs: longestWaitMs },
      signal: call.signal,
    });
    if (!grant.granted) throw new HoldfastError('RATE_LIMITED', 'The rate limit of the replay is used up.');
  }
  return callLanguageModel(call);
}

function createLiveTools(
  { run, findInnerCall }: StepTools,
  { workspaceId, ...access }: LiveAccess & { workspaceId: string; replayId: string },
): LiveTools {
  const toRun = ({ place, call, tool, input, signal }: LiveCall): ToolRun => ({
    ...{ workspaceId, tool, arguments: input, signal, toolCallId: call.id, idempotencyKey: call.key },
    ...place,
    timeoutMs: tool.settings?.timeoutMs ?? defaultLimits.activityTimeoutMs,
    onProgress: () => {},
  });
  return {
    ...access,
    findInner: (call) => findInnerCall(toRun(call)),
    run: async (call) => {
      const result = await run(toRun(call));
      if (result.status !== 'waits') return result;
      const message = 'Nobody is there to answer in a replay.';
      return { status: 'failed', error: { code: 'TOOL_FAILED', message } };
    },
  };
}
