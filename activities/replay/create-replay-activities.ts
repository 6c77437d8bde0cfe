import { createReplaySummary } from '../../src/modules/replays/report/create-replay-summary.ts';
import type { ReplaySteps } from '../../src/modules/replays/replay-contract.ts';
import { toRowScope } from '../../src/domain/row-scope.ts';
import type { ErrorCode } from '../../src/domain/errors.ts';
import { actForReplay } from './act-for-replay.ts';
import type { ReplayStepDependencies } from './replay-services.ts';
import { createRunReplayChunk } from './run-replay-chunk.ts';
import { runReplayStep } from './run-replay-step.ts';

/** Builds the activities of the workflow that replays a batch of recorded turns. */
export function createReplayActivities(dependencies: ReplayStepDependencies): ReplaySteps {
  const { pipelined, transact } = dependencies;
  return {
    runReplayChunk: createRunReplayChunk(dependencies),

    planReplay: ({ workspaceId, replayId }) =>
      runReplayStep(async () => {
        const made = await pipelined(workspaceId, ({ replays }) => replays.getMade(replayId));
        const actor = await actForReplay(dependencies, { workspaceId, ...made }, 'replays.run');
        const { name, input } = made;
        const cases = await transact(toRowScope(actor), ({ replayCases }) =>
          replayCases.selectCases(replayId, input),
        );
        return { name, cases, concurrency: input.concurrency };
      }),

    readReplay: ({ workspaceId, replayId }) =>
      runReplayStep(async () => {
        const { status } = await pipelined(workspaceId, ({ replays }) => replays.getReplay(replayId));
        return { status };
      }),

    settleReplay: ({ workspaceId, replayId, status, error, code }) =>
      runReplayStep(async () => {
        const summary = await createReplaySummary(
          (run) => pipelined(workspaceId, ({ replays, replayCases }) => run({ replays, replayCases })),
          replayId,
        );
        const known: ErrorCode = code === 'RIGHTS_LOST' ? code : 'INTERNAL';
        const info = error === undefined ? null : { code: known, message: error };
        await pipelined(workspaceId, ({ replays }) =>
          replays.settleReplay({ replayId, status, summary, error: info }),
        );
      }),
  };
}
