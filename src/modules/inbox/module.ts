import { defineModule } from '../../platform/module/define-module.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { inboxMessageSchema } from '../../domain/inbox.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'message.sent': true;
  }
}

/** The module of inbox. */
export const inbox = defineModule({
  name: 'inbox',
  routes: [...inboxRoutes],
  schemas: {
    InboxMessage: inboxMessageSchema,
  },
  tables: [
    { name: 'sent_messages', most: 1000 },
    { name: 'inbox_messages', most: 500 },
    { name: 'topic_messages', most: 500 },
  ],
});
