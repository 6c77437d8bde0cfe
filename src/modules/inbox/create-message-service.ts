import type { MessageService } from '../../engines/tools/functions/send-message.ts';
import type { InboxDependencies } from './inbox-dependencies.ts';
import { sendMessage } from './send-message.ts';

/** Creates what the function `send_message` does. */
export function createMessageService(dependencies: InboxDependencies): MessageService {
  return { send: (message, call) => sendMessage(dependencies, call, message) };
}
