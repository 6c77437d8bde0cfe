import { operation, type CommandTable } from '../../clients/cli/command-table.ts';
import { invalid, parseCredits } from '../../clients/cli/option-values.ts';
import { readAll } from '../../clients/cli/pages.ts';
import { toOneLine } from '../../domain/text.ts';

const parseCost = (text: string, flag: string) => Number(parseCredits(text, flag));

/** The commands of turns. */
export const commands: CommandTable = {
  turns: 'Look at turns and stop them.',
  'turns show <turn>': operation('getTurn', {
    description: 'Show the timeline and the answer of a turn.',
    call: async ({ client }, { id }) => {
      const turn = await client.turns.get(id);
      return { turn, events: await readAll((page) => client.turns.events(id, page)) };
    },
    lines: async ({ turn, events }) =>
      (await import('../../clients/cli/timeline.ts')).toTimeline(turn, events),
  }),
  'turns model-calls <turn>': operation('listModelCalls', {
    description: 'Show the model calls of a turn, with their attempts, tokens and cost.',
    lines: async (calls) => (await import('./calls/model-call-commands.ts')).toModelCallLines(calls),
  }),
  'turns cancel <turn>': operation('getTurn', {
    description: 'Ask a turn to stop.',
    call: async ({ client }, { id }) => {
      await client.turns.cancel(id);
      return client.turns.get(id);
    },
    lines: ({ id, outcome }) =>
      `Turn ${id} ${outcome === null ? 'is asked to stop' : `is ${outcome.replaceAll('_', ' ')}`}.`,
  }),
  'turns list [conversation]': operation('findTurns', {
    description: 'List turns of a conversation, or of all, newest first.',
    words: { conversation: 'only turns of this conversation' },
    fields: {
      costFrom: { flags: '--cost-from <dollars>', text: 'that cost so much or more', parse: parseCost },
      costTo: { flags: '--cost-to <dollars>', text: 'that cost less', parse: parseCost },
      durationFrom: {
        flags: '--duration-from <seconds>',
        text: 'that are over and took so long or longer',
        parse: parseDuration,
      },
    },
    // A conversation is listed whole.
    limit: ({ input }) => ('conversationId' in input ? 'all' : '100'),
    none: 'No turn fits.',
    line: ({ id, status, createdAt, answer }) => [
      id,
      createdAt,
      status.padEnd(15),
      toOneLine(answer ?? '', 60),
    ],
  }),
};

function parseDuration(seconds: string): number {
  const milliseconds = Math.round(Number(seconds) * 1000);
  if (seconds.trim() !== '' && milliseconds >= 0) return milliseconds;
  throw invalid(`--duration-from is "${seconds}": expected seconds, such as 30.`);
}
