import type { MessageService } from '../../engines/tools/functions/send-message.ts';
import type { InboxDependencies } from './inbox-dependencies.ts';
import { sendMessage } from './send-message.ts';

/** Creates the implementation of the function `send_message`. */
export function createMessageService(dependencies: InboxDependencies): MessageService {
  return { send: (message, call) => sendMessage(dependencies, call, message) };
}
