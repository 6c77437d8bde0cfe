export { conversationFor, type ConversationKey } from './conversation-for.ts';
export { createChatHandler, type ChatHandlerOptions, type FetchHandler } from './create-chat-handler.ts';
export { toNodeHandler, type NodeRequest, type NodeResponse } from './to-node-handler.ts';
export { toPageEvent } from './page-event.ts';
export { toSse, type SentEvent, type SseOptions } from './to-sse.ts';
export {
  verifyWebhook,
  WebhookError,
  type RawWebhookRequest,
  type WebhookErrorCode,
} from './verify-webhook.ts';
export type { WebhookData, WebhookMessage } from './webhook-message.ts';
