import { action, operation, type CommandTable, type Given } from '../../clients/cli/command-table.ts';
import { invalid } from '../../clients/cli/option-values.ts';
import { compareForks, forkConversation } from './forks/fork-commands.ts';
import type { ExportOptions, ImportOptions } from './conversations/recording-commands.ts';

/** The commands of conversations. */
export const commands: CommandTable = {
  conversations: 'List, export, import, fork and compare conversations, and show what a model sees of them.',
  'conversations list': operation('listConversations', {
    description: 'List conversations, newest first.',
    fields: { externalId: { flags: '--external-id <id>' } },
    limit: () => '100',
    none: 'No conversation fits.',
    line: ({ id, createdAt, externalId, person, title, tags }) => [
      id,
      createdAt,
      ...[externalId, person, title, tags.join(',')].map((name) => name !== '' && name),
    ],
  }),
  'conversations export': action<ExportOptions>({
    description: 'Write the turns of conversations as lines of JSON.',
    operation: 'exportRecordings',
    fields: {
      from: 'with a turn that was created at this time or later',
      to: 'with a turn that was created before this time',
      outcome: 'with a turn that ended so',
      tool: 'with a turn that called this tool',
    },
    options: {
      '--out <file>': 'the file to write (default: the output)',
      '--mask <file>': 'replace personal data by the rules in this file',
      '--mask-function <file>': 'replace personal data by the function that this module exports',
    },
    run: async (services, given) =>
      (await import('./conversations/recording-commands.ts')).exportConversations(services, given),
  }),
  'conversations import <file>': action<ImportOptions>({
    description: 'Store the conversations of a file as turns that are over.',
    operation: 'importRecordings',
    fields: { agentId: 'the agent that they belong to (default: agents of their own)' },
    options: {
      '--format <format>': { text: 'holdfast, openai, ai-sdk or langfuse', default: 'holdfast' },
      '--model <model>': { text: 'the model of conversations that name none', default: 'unknown' },
      '--name <name>': { text: 'the name of the agent of other formats', default: 'Imported' },
      '--json': 'print JSON',
    },
    run: async (services, given) =>
      (await import('./conversations/recording-commands.ts')).importConversations(services, given),
  }),
  'conversations share <conversation>': operation('updateConversation', {
    description: 'Say who sees a conversation besides its person.',
    fields: false,
    options: {
      '--with <person...>': { text: 'these people', list: true },
      '--workspace': 'everybody in the workspace',
      '--nobody': 'nobody else',
    },
    input: ({ options }: Given<ShareOptions>) => ({ sharedWith: toShared(options) }),
    lines: ({ id, sharedWith }) => `Conversation ${id} is shared with ${toSharedText(sharedWith)}.`,
  }),
  'conversations fork <conversation>': forkConversation,
  'conversations compare <conversation>': compareForks,
  'conversations context <conversation>': operation('getConversationContext', {
    description: 'Show what the next model call would see.',
    lines: async (context) => (await import('./context/context-commands.ts')).toContextLines(context),
  }),
};

type ShareOptions = { with?: string[]; workspace?: boolean; nobody?: boolean };

function toShared({ with: people, workspace, nobody }: ShareOptions): 'workspace' | string[] {
  const given = [people, workspace, nobody].filter((option) => option !== undefined);
  if (given.length !== 1) throw invalid('Expected one of --with, --workspace and --nobody.');
  return workspace ? 'workspace' : (people ?? []);
}

function toSharedText(sharedWith: 'workspace' | string[]): string {
  if (sharedWith === 'workspace') return 'the workspace';
  return sharedWith.length === 0 ? 'nobody' : sharedWith.join(', ');
}
