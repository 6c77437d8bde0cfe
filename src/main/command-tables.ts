import type { CommandTable } from '../clients/cli/command-table.ts';

/** The commands of one or more nouns, which are loaded when one of them runs or all are listed. */
interface TableEntry {
  /** The first words of the commands. */
  words: readonly string[];
  load: () => Promise<{ commands: CommandTable }>;
}

const adminWords = 'dev api worker migrate workspaces api-keys keys audit histories'.split(' ');

/** All commands, in the order of the help. */
export const commandTables: readonly TableEntry[] = [
  { words: ['chat'], load: () => import('../clients/cli/chat-commands.ts') },
  { words: ['turns'], load: () => import('../modules/turns/turn-commands.ts') },
  { words: ['conversations'], load: () => import('../modules/turns/conversation-commands.ts') },
  { words: ['actions'], load: () => import('../modules/actions/action-commands.ts') },
  { words: ['webhooks'], load: () => import('../modules/webhooks/webhook-commands.ts') },
  { words: ['replay', 'replays'], load: () => import('../modules/replays/commands/replay-commands.ts') },
  { words: ['schedules'], load: () => import('../modules/schedules/schedule-commands.ts') },
  { words: ['triggers'], load: () => import('../modules/triggers/trigger-commands.ts') },
  { words: ['routines', 'routine-runs'], load: () => import('../modules/routines/routine-commands.ts') },
  { words: ['resources'], load: () => import('../modules/resources/resource-commands.ts') },
  { words: ['skills'], load: () => import('../modules/skills/commands/skill-commands.ts') },
  { words: ['budgets', 'usage'], load: () => import('../modules/credits/budgets/budget-commands.ts') },
  { words: ['swarms'], load: () => import('../modules/swarms/swarm-commands.ts') },
  { words: ['changes'], load: () => import('../modules/changes/change-commands.ts') },
  { words: ['audit'], load: () => import('../modules/audit/audit-commands.ts') },
  { words: ['people', 'user-tokens'], load: () => import('../modules/workspaces/people/people-commands.ts') },
  { words: ['workspace'], load: () => import('../modules/workspaces/settings/workspace-commands.ts') },
  { words: ['agents'], load: () => import('../modules/agents/agent-commands.ts') },
  { words: ['push', 'pull'], load: () => import('../clients/cli/code-commands.ts') },
  { words: adminWords, load: () => import('./admin.ts') },
];
