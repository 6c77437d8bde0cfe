import type { Screen } from '../../app/screen.ts';
import { parseRoutineSearch, parseRoutinesSearch, parseRunSearch } from './search.ts';

export const screen: Screen = {
  title: 'Routines',
  group: 'Automate',
  order: 1,
  anyOf: ['routines:read'],
  pages: [
    { path: '/routines', load: () => import('./routines-page.tsx'), search: parseRoutinesSearch },
    { path: '/routines/new', load: () => import('./new-routine-page.tsx') },
    { path: '/routines/$routineId', load: () => import('./routine-page.tsx'), search: parseRoutineSearch },
    { path: '/routine-runs/$runId', load: () => import('./run-page.tsx'), search: parseRunSearch },
  ],
};
