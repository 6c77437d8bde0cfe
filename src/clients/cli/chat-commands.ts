import type { ChatOptions } from './chat.ts';
import { action, type CommandTable } from './command-table.ts';

/** The command with which a person talks to an agent. */
export const commands: CommandTable = {
  'chat [message...]': action<ChatOptions & { once?: string }>({
    description: 'Talk to an agent: one turn for a message given here, else one for each line of the input.',
    words: { message: 'hold a single turn with this message' },
    options: {
      '--once <message>': 'the same, as an option',
      '--agent <id or name>': 'the agent to talk to (default: the demo agent, else the first)',
      '--conversation <id>': 'continue this conversation',
      '--verbose': 'show arguments, results and token counts',
      '--json': 'print the events as lines of JSON',
    },
    run: async (services, { words, options }) => {
      const message = options.once ?? (words.length > 0 ? words.join(' ') : undefined);
      return (await import('./chat.ts')).runChat(services, message, options);
    },
  }),
};
