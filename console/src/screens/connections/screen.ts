import type { Screen } from '../../app/screen.ts';
import {
  parseConnectionSearch,
  parseConnectionsSearch,
  parseImportSearch,
  parseNewSearch,
} from './search.ts';

export const screen: Screen = {
  title: 'Connections',
  group: 'Build',
  order: 2,
  anyOf: ['connections:read'],
  pages: [
    { path: '/connections', load: () => import('./connections-page.tsx'), search: parseConnectionsSearch },
    { path: '/connections/new', load: () => import('./new-connection-page.tsx'), search: parseNewSearch },
    { path: '/connections/import', load: () => import('./import-page.tsx'), search: parseImportSearch },
    { path: '/connections/providers/$name', load: () => import('./provider-page.tsx') },
    {
      path: '/connections/$connectionId',
      load: () => import('./connection-page.tsx'),
      search: parseConnectionSearch,
    },
  ],
};
