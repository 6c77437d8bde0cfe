import type { Screen } from '../../app/screen.ts';
import { parseAuditSearch } from './search.ts';

export const screen: Screen = {
  title: 'Audit',
  group: 'Govern',
  order: 2,
  anyOf: ['audit:read'],
  pages: [{ path: '/audit', load: () => import('./audit-page.tsx'), search: parseAuditSearch }],
};
