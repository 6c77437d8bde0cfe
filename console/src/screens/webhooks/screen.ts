import type { Screen } from '../../app/screen.ts';
import { parseWebhookSearch } from './search.ts';

export const screen: Screen = {
  title: 'Webhooks',
  group: 'Automate',
  order: 5,
  anyOf: ['webhooks:read'],
  pages: [
    { path: '/webhooks', load: () => import('./webhooks-page.tsx') },
    { path: '/webhooks/new', load: () => import('./new-webhook-page.tsx') },
    { path: '/webhooks/$webhookId', load: () => import('./webhook-page.tsx'), search: parseWebhookSearch },
  ],
};
