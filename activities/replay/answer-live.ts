import type { AgentVersion } from '../../src/domain/agent.ts';
import { toActorRef, type ActorRef } from '../../src/domain/actor.ts';
import { HoldfastError, type ErrorInfo } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { toOwnerKey } from '../../src/domain/person.ts';
import {
  toolEffects,
  type FailedResult,
  type Tool,
  type ToolEffect,
  type ToolResult,
} from '../../src/domain/tool.ts';
import type {
  LiveCallRepository,
  LiveRules,
} from '../../src/modules/replays/recorded/live-call-repository.ts';
import type { CountedLimit } from '../../src/modules/turns/calls/tool-call-counts.ts';
import type { ClaimedToolCall, ToolCallEnd } from '../../src/modules/turns/calls/tool-call-repository.ts';
import type { RecordedMatch } from '../../src/modules/replays/recorded/recorded-calls.ts';
import { resolveCall, toolboxOf } from '../../src/engines/tools/toolbox.ts';
import type { InnerCall } from '../../src/engines/tools/tool-type.ts';
import { toKnownError } from '../../src/platform/activity/failures.ts';
import { findMode, findReasons } from '../tool/approve-call.ts';
import { prepareCall, type AllowedCall, type PrepareDependencies } from '../tool/prepare-call.ts';
import { toAnsweredEnd } from '../tool/tool-call-ends.ts';
import type { LiveCall, LiveTools, ReplayServices } from './replay-services.ts';
import type { LaneRun, TurnToReplay } from './replayed-turn.ts';

/** A call that the rules of its lane allow, and that a replay makes. */
export interface CallToMake extends AllowedCall {
  turn: TurnToReplay;
  lane: LaneRun;
  /** The call, its tool and the policies by the version of the lane. */
  claimed: ClaimedToolCall;
  match: RecordedMatch | null;
  counts: PrepareDependencies['transact'];
  /** Whether only a call that changes nothing is made. */
  onlyReads: boolean;
}

/** The end of a call that was to be live; `rule` names what kept it from being made. */
export interface LiveEnd {
  end: Pick<ToolCallEnd, 'status' | 'result' | 'resultBytes' | 'content' | 'error'>;
  rule: string | null;
}

/** A live call with the tool that its agent has today. */
interface CallOfToday extends CallToMake {
  live: LiveTools;
  rules: LiveRules;
  today: AgentVersion;
  toolOfToday: Tool;
  claimedToday: ClaimedToolCall;
}

/**
 * Makes a call by the rules and the tool that the agent of the recorded turn has today, besides the rules of the lane: the
 * stricter holds. A call that needs an approval is not made, since a replay asks no person. Every call that is made is audited.
 * The calls of a replay for one person act for that person alone.
 * @throws HoldfastError `RIGHTS_LOST` when a maker of the replay may no longer make live calls
 */
export async function answerLive(services: ReplayServices, asked: CallToMake): Promise<LiveEnd> {
  const { live } = services;
  if (!live) throw new HoldfastError('INTERNAL', 'The replay has no live tools.', { retryable: false });
  const actor = await live.authorize();
  const by = toActorRef(actor, undefined);
  const found = await findToday(services, live, asked);
  if ('end' in found) return found;
  await services.tools.loadEffects(asked.turn.workspaceId, [found.toolOfToday]);
  if (actor.reach === 'own' && toOwnerKey(actor.actsFor) !== found.rules.person)
    return block(found.claimed, 'person', 'the recorded turn acted for another person');
  const early = findEffectRefusal(services, found, null);
  if (early) return early;
  const prepared = await prepareCall(
    { ...services, getVersion: live.getVersion, transact: countLive(live, asked.counts) },
    found.claimedToday,
    asked.input,
  );
  if ('end' in prepared) return { end: prepared.end, rule: toRule(prepared.end.error) };
  const call = toLiveCall(found);
  const inner = await orFailure(call.signal, () => live.findInner(call));
  if (inner && 'status' in inner) return toEnd(found, inner);
  const refusal =
    findEffectRefusal(services, found, inner) ??
    (await findApprovalRefusal(services, found, { ...prepared, inner }));
  if (refusal) return refusal;
  const refused = await orFailure(call.signal, async () => (await inner?.findRefusal()) ?? null);
  if (refused) return toEnd(found, refused);
  await audit(services, found, { inner, by });
  return toEnd(found, await orFailure(call.signal, () => live.run(call)));
}

function toEnd({ claimedToday }: CallOfToday, result: ToolResult): LiveEnd {
  return { end: toAnsweredEnd(claimedToday, result), rule: null };
}

/** A tool that cannot be reached is a result of its call. */
async function orFailure<Result>(
  signal: AbortSignal,
  run: () => Promise<Result>,
): Promise<Result | FailedResult> {
  try {
    return await run();
  } catch (error) {
    signal.throwIfAborted();
    return { status: 'failed', error: toKnownError(error).toInfo() };
  }
}

/** The rule by which a call was blocked; null for a call that failed otherwise. */
function toRule(error: ErrorInfo | undefined): string | null {
  const { rule } = (error?.details ?? {}) as { rule?: string };
  return rule ?? null;
}

/** Finds the tool that today's version of the recorded turn's agent has in place of that of the lane. */
async function findToday(
  { pipelined }: ReplayServices,
  live: LiveTools,
  asked: CallToMake,
): Promise<CallOfToday | LiveEnd> {
  const { turn, lane, claimed, tool, input, match } = asked;
  const rules = await pipelined(turn.workspaceId, ({ liveCalls }) =>
    liveCalls.findRules({
      ...{ turnId: turn.turnId, recordedCallId: match?.call.id ?? null },
      ...{ name: tool.name, arguments: input },
    }),
  );
  if (!rules) return block(claimed, 'agent', 'its agent was deleted');
  if (rules.agentId !== lane.version.agentId)
    return block(claimed, 'agent', 'the candidate is the version of another agent');
  const today = await live.getVersion(turn.workspaceId, rules.versionId);
  const toolOfToday = findToolOfToday(tool, { input, version: lane.version, today });
  if (!toolOfToday) return block(claimed, 'tool', 'its agent does not have this tool any more');
  const claimedToday = {
    ...claimed,
    ...{ agent_version_id: today.id, tool: toolOfToday, name: toolOfToday.name },
    ...{ rule_sources: rules.ruleSources, quarantined: rules.quarantined },
    workspace_approval: rules.approval,
  };
  return { ...asked, live, rules, today, toolOfToday, claimedToday };
}

interface Versions {
  input: JsonObject;
  version: AgentVersion;
  today: AgentVersion;
}

/** The same tool by its id, or one with the same name that leads to the same place. */
function findToolOfToday(tool: Tool, { input, version, today }: Versions): Tool | null {
  const same = today.tools.find(({ id }) => id === tool.id);
  if (same) return same;
  const named = today.tools.find(({ name, type }) => name === tool.name && type === tool.type);
  const { target } = resolveCall(tool, input, toolboxOf(version));
  return named && resolveCall(named, input, toolboxOf(today)).target === target ? named : null;
}

/** Limits of a turn are counted in the memory of the replay, and those of a day together with the calls of turns. */
function countLive(
  live: LiveTools,
  counts: PrepareDependencies['transact'],
): PrepareDependencies['transact'] {
  return (workspaceId, run) =>
    live.transact(workspaceId, ({ liveCalls }) =>
      counts(workspaceId, ({ toolCalls }) =>
        run({
          toolCalls: {
            lockCounts: () => Promise.resolve(),
            count: async ({ id, limits }) => {
              const [inTurn, inDay] = await Promise.all([
                toolCalls.count({ id, limits }),
                liveCalls.countDay(limits),
              ]);
              return inTurn.map((count, index) => ({ ...count, inDay: findDay(inDay, limits[index]) }));
            },
          },
        }),
      ),
    );
}

/** The calls of the day that a limit counts; null for a limit of a turn. */
function findDay(
  inDay: Awaited<ReturnType<LiveCallRepository['countDay']>>,
  limit: CountedLimit | undefined,
): number | null {
  if (!limit?.perDay) return null;
  return inDay.find(({ agentId, key }) => agentId === limit.agentId && key === limit.key)?.calls ?? null;
}

/** The strictest of the recorded effect, and those of today's tool, of the lane's tool and of the tool behind a gateway. */
function toEffect(
  { tools }: Pick<ReplayServices, 'tools'>,
  { claimed, rules, toolOfToday, input }: CallOfToday,
  inner: InnerCall | null,
): ToolEffect {
  const effects = [claimed.effect, rules.recordedEffect, tools.effectOf(toolOfToday, input), inner?.effect];
  return toolEffects.findLast((effect) => effects.includes(effect)) ?? 'unsafe';
}

function findEffectRefusal(
  services: Pick<ReplayServices, 'tools'>,
  found: CallOfToday,
  inner: InnerCall | null,
): LiveEnd | null {
  const effect = toEffect(services, found, inner);
  if (effect === 'unsafe')
    return block(found.claimed, null, 'it may change something that a second attempt would repeat');
  return found.onlyReads && effect !== 'read_only'
    ? block(found.claimed, null, 'it may change something, and the replay makes only calls that read')
    : null;
}

async function findApprovalRefusal(
  services: Pick<ReplayServices, 'tools'>,
  { claimed, claimedToday, tool, toolOfToday, input, rules, policies, conditions }: CallOfToday,
  today: Pick<AllowedCall, 'policies' | 'conditions'> & { inner: InnerCall | null },
): Promise<LiveEnd | null> {
  if (rules.isRejected) return block(claimed, 'approval', 'a person rejected it when it was recorded');
  const { inner } = today;
  const held = [...conditions, ...today.conditions];
  const reasons = await findReasons(services, { call: claimed, input, inner, conditions: held });
  const asked = { input, inner, reasons };
  const ofLane = { ...claimed, workspace_approval: rules.approval };
  const modes = [
    findMode({ ...asked, call: claimedToday, tool: toolOfToday, policies: [...policies, ...today.policies] }),
    findMode({ ...asked, call: ofLane, tool, policies: [] }),
  ];
  return modes.every((mode) => mode === 'never')
    ? null
    : block(claimed, 'approval', 'a person has to approve it, and nobody is asked in a replay');
}

function block({ name }: ClaimedToolCall, rule: string | null, reason: string): LiveEnd {
  const error = {
    code: 'TOOL_BLOCKED' as const,
    message: `The replay does not call ${name}: ${reason}.`,
    ...(rule === null ? {} : { details: { rule } }),
  };
  return { end: { status: 'blocked', error }, rule };
}

function toLiveCall({ turn, today, toolOfToday, claimed, input }: CallOfToday): LiveCall {
  const { conversationId, turnId, signal } = turn;
  const place = { agentId: today.agentId, conversationId, turnId, toolbox: toolboxOf(today) };
  return { place, call: { id: claimed.id, key: claimed.key }, tool: toolOfToday, input, signal };
}

async function audit(
  services: ReplayServices,
  found: CallOfToday,
  { inner, by }: { inner: InnerCall | null; by: ActorRef },
): Promise<void> {
  const { turn, live, today, toolOfToday, claimed, input } = found;
  const { target } = resolveCall(toolOfToday, input, toolboxOf(today));
  await services.pipelined(turn.workspaceId, ({ liveCalls }) =>
    liveCalls.recordCall({
      ...{ replayId: live.replayId, by },
      payload: {
        ...{ agent_id: today.agentId, agent_version_id: today.id },
        ...{ conversation_id: turn.conversationId, turn_id: turn.turnId, lane: turn.lane },
        ...{ tool: toolOfToday.name, target: inner?.target ?? target, tool_call_key: claimed.key },
        effect: toEffect(services, found, inner),
      },
    }),
  );
}
