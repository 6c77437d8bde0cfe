import type { Screen } from '../../app/screen.ts';
import { parseScheduleSearch } from './search.ts';

export const screen: Screen = {
  title: 'Schedules',
  group: 'Automate',
  order: 3,
  anyOf: ['conversations:read'],
  pages: [
    { path: '/schedules', load: () => import('./schedules-page.tsx') },
    { path: '/schedules/new', load: () => import('./new-schedule-page.tsx') },
    {
      path: '/schedules/$scheduleId',
      load: () => import('./schedule-page.tsx'),
      search: parseScheduleSearch,
    },
  ],
};
