import type { Route } from '../route.ts';
import { agentRoutes } from './agents.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { conversationRoutes } from './conversations.ts';
import { eventRoutes } from './events.ts';
import { healthRoutes } from './health.ts';
import { turnRoutes } from './turns.ts';

/** Every endpoint of the API. */
export const routes: Route[] = [
  ...agentRoutes,
  ...conversationRoutes,
  ...turnRoutes,
  ...eventRoutes,
  ...apiKeyRoutes,
  ...healthRoutes,
];
