import type { Screen } from '../../app/screen.ts';
import { parseSettingsSearch } from './search.ts';

export const screen: Screen = {
  title: 'Settings',
  group: 'Govern',
  order: 3,
  pages: [{ path: '/settings', load: () => import('./settings-page.tsx'), search: parseSettingsSearch }],
};
