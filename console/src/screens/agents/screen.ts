import type { Screen } from '../../app/screen.ts';
import { parseAgentSearch, parseAgentsSearch } from './search.ts';

export const screen: Screen = {
  title: 'Agents',
  group: 'Build',
  order: 1,
  anyOf: ['agents:read'],
  pages: [
    { path: '/agents', load: () => import('./agents-page.tsx'), search: parseAgentsSearch },
    { path: '/agents/new', load: () => import('./new-agent-page.tsx') },
    { path: '/agents/$agentId', load: () => import('./agent-page.tsx'), search: parseAgentSearch },
  ],
};
