import type { Screen } from '../../app/screen.ts';
import { parseTriggerSearch } from './search.ts';

export const screen: Screen = {
  title: 'Triggers',
  group: 'Automate',
  order: 4,
  anyOf: ['conversations:read'],
  pages: [
    { path: '/triggers', load: () => import('./triggers-page.tsx') },
    { path: '/triggers/new', load: () => import('./new-trigger-page.tsx') },
    { path: '/triggers/$triggerId', load: () => import('./trigger-page.tsx'), search: parseTriggerSearch },
  ],
};
