import type { Screen } from '../../app/screen.ts';
import { parsePlaygroundSearch } from './search.ts';

export const screen: Screen = {
  title: 'Playground',
  group: 'Now',
  order: 2,
  anyOf: ['conversations:write'],
  pages: [
    { path: '/playground', load: () => import('./playground-page.tsx'), search: parsePlaygroundSearch },
  ],
};
