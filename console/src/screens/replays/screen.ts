import type { Screen } from '../../app/screen.ts';
import { parseCaseSearch, parseNewSearch, parseReplaySearch } from './search.ts';

export const screen: Screen = {
  title: 'Replays',
  group: 'Measure',
  order: 1,
  anyOf: ['replays:read'],
  pages: [
    { path: '/replays', load: () => import('./replays-page.tsx') },
    { path: '/replays/new', load: () => import('./new-replay-page.tsx'), search: parseNewSearch },
    { path: '/replays/$replayId', load: () => import('./replay-page.tsx'), search: parseReplaySearch },
    {
      path: '/replays/$replayId/cases/$position',
      load: () => import('./case-page.tsx'),
      search: parseCaseSearch,
    },
  ],
};
