import { createReplaySummary } from '../../src/modules/replays/report/create-replay-summary.ts';
import type { ReplaySteps } from '../../src/modules/replays/replay-contract.ts';
import type { ErrorCode } from '../../src/domain/errors.ts';
import type { ReplayStepDependencies } from './replay-services.ts';
import { createRunReplayChunk } from './run-replay-chunk.ts';
import { runReplayStep } from './run-replay-step.ts';

/** Builds the activities of the workflow that replays a batch of recorded turns. */
export function createReplayActivities(dependencies: ReplayStepDependencies): ReplaySteps {
  const { pipelined, transact } = dependencies;
  return {
    runReplayChunk: createRunReplayChunk(dependencies),

    planReplay: ({ workspaceId, replayId }) =>
      runReplayStep(() =>
        transact(workspaceId, async ({ replays, replayCases }) => {
          const { name, input } = await replays.getReplay(replayId);
          return {
            name,
            cases: await replayCases.selectCases(replayId, input),
            concurrency: input.concurrency,
          };
        }),
      ),

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
