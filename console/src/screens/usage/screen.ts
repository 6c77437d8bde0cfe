import type { Screen } from '../../app/screen.ts';
import { parseUsageSearch } from './search.ts';

export const screen: Screen = {
  title: 'Usage',
  group: 'Measure',
  order: 2,
  anyOf: ['analytics:read'],
  pages: [{ path: '/usage', load: () => import('./usage-page.tsx'), search: parseUsageSearch }],
};
