import type { Screen } from '../../app/screen.ts';
import { parseBaseSearch } from './search.ts';

export const screen: Screen = {
  title: 'Knowledge',
  group: 'Build',
  order: 3,
  anyOf: ['knowledge:read'],
  pages: [
    { path: '/knowledge', load: () => import('./knowledge-page.tsx') },
    { path: '/knowledge/$baseId', load: () => import('./base-page.tsx'), search: parseBaseSearch },
  ],
};
