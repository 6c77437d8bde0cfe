import type { AgentVersion } from '../../src/domain/agent.ts';
import type { ContextMessage } from '../../src/domain/model-context.ts';
import type { ReplayedTurn, ReplayInput, ReplayRun, RunLane } from '../../src/domain/replay.ts';
import type { ReplayCase } from '../../src/modules/replays/replay-case-repository.ts';
import { applyCandidate } from '../../src/modules/replays/recorded/apply-candidate.ts';
import type { RowScope } from '../../src/domain/row-scope.ts';
import { toOriginalTurn } from '../../src/modules/replays/recorded/original-turn.ts';
import {
  createRecordedCalls,
  type RecordedCalls,
} from '../../src/modules/replays/recorded/recorded-calls.ts';
import { withAnsweringModel } from '../../src/modules/replays/recorded/with-answering-model.ts';
import type { StepDependencies } from '../step-dependencies.ts';
import { readRecordedTurn, type RecordedTurn } from './recorded-turn.ts';
import type { LaneRun } from './replayed-turn.ts';
import { replayTurn } from './replay-turn.ts';
import type { ReplayServices } from './replay-services.ts';

/** A case with its recorded turns, and the replay that it belongs to. */
export interface LoadedCase {
  workspaceId: string;
  replayId: string;
  input: ReplayInput;
  /** The rows that are read. */
  rows: RowScope;
  of: ReplayCase;
  turns: RecordedTurn[];
}

/** @throws HoldfastError `NOT_FOUND` when a turn of the case was removed, or is not seen any more */
export async function loadCase(
  dependencies: Pick<StepDependencies, 'pipelined' | 'getVersion'>,
  place: Omit<LoadedCase, 'turns'>,
): Promise<LoadedCase> {
  const { rows, of } = place;
  const turns: RecordedTurn[] = [];
  for (const turnId of of.turnIds) turns.push(await readRecordedTurn(dependencies, rows, turnId));
  return { ...place, turns };
}

/** The case as it was recorded. */
export function toOriginalRun({ turns, input }: LoadedCase): ReplayRun {
  return { turns: turns.map((recorded) => toOriginalTurn(recorded, input.prices)) };
}

interface CaseRun {
  loaded: LoadedCase;
  lane: RunLane;
  repeat: number;
  /** The version of the candidate; null for that of each recorded turn. */
  candidateVersion: AgentVersion | null;
  signal: AbortSignal;
}

/**
 * Runs the turns of a case in one lane. Each turn of the mode `turns` follows its recorded history; those of the mode
 * `conversations` follow what the run itself has said.
 * @throws HoldfastError of the model when it does not answer
 */
export async function runCase(services: ReplayServices, run: CaseRun): Promise<ReplayRun> {
  const { loaded } = run;
  const recorded = createRecordedCalls(loaded.turns.flatMap(({ calls }) => calls));
  const turns: Omit<ReplayedTurn, 'unasked'>[] = [];
  let said: ContextMessage[] = [];
  for (const [index, turn] of loaded.turns.entries()) {
    const context = loaded.input.mode === 'turns' ? turn.context : [...said, ...turn.context.slice(-1)];
    const { replayed, messages } = await replayRecorded(services, { run, turn, recorded, context, index });
    turns.push(replayed);
    said = [...context, ...messages];
    if (replayed.outcome === 'missed') break;
  }
  return { turns: withUnasked(turns, loaded.turns, recorded) };
}

interface TurnOfCase {
  run: CaseRun;
  turn: RecordedTurn;
  recorded: RecordedCalls;
  context: ContextMessage[];
  index: number;
}

function replayRecorded(services: ReplayServices, { run, turn, recorded, context, index }: TurnOfCase) {
  const { loaded, lane, repeat, signal } = run;
  const { workspaceId, replayId, input, of } = loaded;
  // A recorded summary describes the recorded history, which a run of the mode `conversations` does not have.
  const starts = input.mode === 'turns' ? turn.seen.starts : [];
  return replayTurn(services, toLaneRun(run, turn), {
    ...{ workspaceId, conversationId: of.conversationId, turnId: turn.turn.id },
    ...{ responseSchema: turn.responseSchema, seen: { ...turn.seen, starts } },
    workspaceApproval: turn.workspaceApproval,
    ...{ lane, context, steering: turn.steering, recorded, rules: input, signal },
    key: [replayId, of.position, index, lane, repeat].join('/'),
  });
}

function toLaneRun({ loaded, lane, candidateVersion }: CaseRun, recorded: RecordedTurn): LaneRun {
  const { candidate, prices } = loaded.input;
  const { version, answeredBy } = recorded;
  if (lane === 'baseline') return { version: withAnsweringModel(version, answeredBy), sampling: {}, prices };
  const tried = applyCandidate(candidateVersion ?? version, candidate);
  const namesModel = candidate.model !== undefined || candidate.modelConnectionId !== undefined;
  const isSameModel = !namesModel && tried.model === version.model;
  return {
    version: isSameModel ? withAnsweringModel(tried, answeredBy) : tried,
    sampling: candidate.sampling ?? {},
    prices,
  };
}

/** Recorded calls that were never asked for stand with the turn that made them. */
function withUnasked(
  turns: Omit<ReplayedTurn, 'unasked'>[],
  recordedTurns: RecordedTurn[],
  recorded: RecordedCalls,
): ReplayedTurn[] {
  const unasked = new Set(recorded.listUnasked().map(({ id }) => id));
  return turns.map((turn, index) => {
    const calls = recordedTurns[index]?.calls.filter(({ id }) => unasked.has(id)) ?? [];
    return { ...turn, unasked: calls.map(({ id, name }) => ({ toolCallId: id, name })) };
  });
}
