import type { HoldfastClient } from '../../../clients/client/index.ts';
import { operation, type CommandTable } from '../../../clients/cli/command-table.ts';

/** The calls of tools without a setting that wait for people. */
const approvals: Record<Awaited<ReturnType<HoldfastClient['workspace']['get']>>['approval'], string> = {
  never: 'none is asked for',
  ask: 'calls that change something',
  always_ask: 'calls that change something, each one',
};

/** The command that shows the settings of the workspace of the API key. */
export const commands: CommandTable = {
  workspace: 'Look at the workspace of the API key.',
  'workspace show': operation('getWorkspace', {
    description: 'Show the workspace of the API key, and the settings that hold for it.',
    lines: ({ id, name, createdAt, retentionDays, approval, startTimeoutMs, maxRunningTurns }) => [
      `${id}  ${name}  created ${createdAt}`,
      `  retention      ${retentionDays === null ? 'everything is kept' : `${retentionDays} days`}`,
      `  approval       ${approval}: ${approvals[approval]}`,
      `  start timeout  ${startTimeoutMs / 1000} s`,
      `  running turns  ${maxRunningTurns === null ? 'no limit' : `at most ${maxRunningTurns}`}`,
    ],
  }),
};
