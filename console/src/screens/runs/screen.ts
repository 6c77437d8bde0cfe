import type { Screen } from '../../app/screen.ts';
import { parseRunsSearch, parseTurnSearch } from './search.ts';

export const screen: Screen = {
  title: 'Runs',
  group: 'Now',
  order: 3,
  anyOf: ['conversations:read'],
  pages: [
    { path: '/runs', load: () => import('./runs-page.tsx'), search: parseRunsSearch },
    { path: '/runs/$turnId', load: () => import('./turn-page.tsx'), search: parseTurnSearch },
  ],
};
