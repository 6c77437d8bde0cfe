import { lazy } from 'react';
import type { Screen } from '../../app/screen.ts';
import { parseApprovalsSearch } from './search.ts';

export const screen: Screen = {
  title: 'Approvals',
  group: 'Now',
  order: 4,
  anyOf: ['conversations:read'],
  pages: [{ path: '/approvals', load: () => import('./approvals-page.tsx'), search: parseApprovalsSearch }],
  Badge: lazy(() => import('./waiting-badge.tsx')),
};
