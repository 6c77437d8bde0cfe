import type { Screen } from '../../app/screen.ts';
import { parseSwarmSearch } from './search.ts';

export const screen: Screen = {
  title: 'Swarms',
  group: 'Automate',
  order: 2,
  anyOf: ['swarms:read'],
  pages: [
    { path: '/swarms', load: () => import('./swarms-page.tsx') },
    { path: '/swarms/new', load: () => import('./new-swarm-page.tsx') },
    { path: '/swarms/$swarmId', load: () => import('./swarm-page.tsx'), search: parseSwarmSearch },
  ],
};
