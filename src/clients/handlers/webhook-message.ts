import type { Budget, PendingAction, Turn } from '../client/index.ts';
import type { WebhookEvent } from '../../domain/webhook.ts';

interface ActionData {
  actionId: string;
  kind: PendingAction['kind'];
  status: PendingAction['status'];
  turnId: string;
  /** The turn that a client started. */
  rootTurnId: string;
  conversationId: string;
  toolCallId: string;
}

interface DocumentData {
  documentId: string;
  knowledgeBaseId: string;
}

interface DataByType {
  'turn.settled': {
    turnId: string;
    conversationId: string;
    agentId: string;
    outcome: NonNullable<Turn['outcome']>;
  };
  'turn.action_required': ActionData;
  'action.reminded': ActionData;
  'action.decided': ActionData;
  'action.expired': ActionData;
  'connection.needs_authorization': { connectionId: string };
  'document.ready': DocumentData;
  'document.failed': DocumentData;
  /** `credits` and `spent` are decimal numbers. */
  'budget.warning': Pick<Budget, 'scope' | 'subject' | 'period' | 'credits' | 'spent'> & { budgetId: string };
  'inbox.message': { messageId: string; person: string; agentId: string; conversationId: string };
}

/** The `data` of messages of one type. */
export type WebhookData<Type extends WebhookEvent = WebhookEvent> = DataByType[Type];

/** A verified message of a webhook; its type says which `data` it has. */
export type WebhookMessage<Type extends WebhookEvent = WebhookEvent> = {
  [One in Type]: {
    /** The `webhook-id`: the same when the message comes again. */
    id: string;
    type: One;
    /** When it happened, in ISO 8601. */
    timestamp: string;
    data: WebhookData<One>;
  };
}[Type];
