import type { CommandTable } from '../clients/cli/command-table.ts';

/** The commands of one or more nouns, which are loaded when one of them runs or all are listed. */
interface TableEntry {
  /** The first words of the commands. */
  words: readonly string[];
  load: () => Promise<CommandTable>;
}

/** The commands that call the API, in the order of the help. */
export const commandTables: readonly TableEntry[] = [
  {
    words: ['chat'],
    load: async () => (await import('../clients/cli/chat-commands.ts')).chatCommands,
  },
  {
    words: ['turns'],
    load: async () => (await import('../modules/turns/turn-commands.ts')).turnCommands,
  },
  {
    words: ['conversations'],
    load: async () =>
      (await import('../modules/turns/conversations/conversation-commands.ts')).conversationCommands,
  },
  {
    words: ['actions'],
    load: async () => (await import('../modules/actions/action-commands.ts')).actionCommands,
  },
  {
    words: ['webhooks'],
    load: async () => (await import('../modules/webhooks/webhook-commands.ts')).webhookCommands,
  },
  {
    words: ['replay', 'replays'],
    load: async () => (await import('../modules/replays/commands/replay-commands.ts')).replayCommands,
  },
  {
    words: ['schedules'],
    load: async () => (await import('../modules/schedules/schedule-commands.ts')).scheduleCommands,
  },
  {
    words: ['triggers'],
    load: async () => (await import('../modules/triggers/trigger-commands.ts')).triggerCommands,
  },
  {
    words: ['routines', 'routine-runs'],
    load: async () => (await import('../modules/routines/routine-commands.ts')).routineCommands,
  },
  {
    words: ['resources'],
    load: async () => (await import('../modules/resources/resource-commands.ts')).resourceCommands,
  },
  {
    words: ['skills'],
    load: async () => (await import('../modules/skills/commands/skill-commands.ts')).skillCommands,
  },
  {
    words: ['budgets', 'usage'],
    load: async () => (await import('../modules/credits/budgets/budget-commands.ts')).budgetCommands,
  },
  {
    words: ['swarms'],
    load: async () => (await import('../modules/swarms/swarm-commands.ts')).swarmCommands,
  },
  {
    words: ['changes'],
    load: async () => (await import('../modules/changes/change-commands.ts')).changeCommands,
  },
  {
    words: ['audit'],
    load: async () => (await import('../modules/audit/audit-commands.ts')).auditCommands,
  },
  {
    words: ['people', 'user-tokens'],
    load: async () => (await import('../modules/workspaces/people/people-commands.ts')).peopleCommands,
  },
  {
    words: ['workspace'],
    load: async () =>
      (await import('../modules/workspaces/settings/workspace-commands.ts')).workspaceCommands,
  },
  {
    words: ['agents'],
    load: async () => (await import('../modules/agents/agent-commands.ts')).agentCommands,
  },
  {
    words: ['push', 'pull'],
    load: async () => (await import('../clients/cli/code-commands.ts')).codeCommands,
  },
];
