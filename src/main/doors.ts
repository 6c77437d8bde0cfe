import { addHooks } from '../http/hooks/hooks.ts';
import { addLoginPages } from '../http/login/login-pages.ts';
import { addClientMetadata } from '../http/oauth/client-metadata.ts';
import { addOAuthCallback } from '../http/oauth/oauth-callback.ts';
import { addActionPages } from '../http/pages/action-pages.ts';
import { addRestRoutes } from '../http/rest/rest-routes.ts';
import { addSlackInteractions } from '../http/slack/slack-interactions.ts';

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
