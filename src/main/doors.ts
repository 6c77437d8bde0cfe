import { addHooks } from '../modules/triggers/trigger-hook-routes.ts';
import { addLoginPages } from '../modules/workspaces/login/login-routes.ts';
import { addClientMetadata } from '../modules/connections/oauth/client-metadata-routes.ts';
import { addOAuthCallback } from '../modules/connections/oauth/oauth-callback-routes.ts';
import { addActionPages } from '../modules/actions/pages/action-page-routes.ts';
import { addRestRoutes } from './rest-routes.ts';
import { addSlackInteractions } from '../modules/webhooks/slack/slack-interaction-routes.ts';

/** The functions that add routes to the API, in the order in which they run. */
export const doors = [
  addOAuthCallback,
  addClientMetadata,
  addLoginPages,
  addSlackInteractions,
  addHooks,
  addActionPages,
  addRestRoutes,
];
