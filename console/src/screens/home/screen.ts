import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  title: 'Home',
  group: 'Now',
  order: 1,
  pages: [{ path: '/', load: () => import('./home-page.tsx') }],
};
