import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { parseReplaySearch } from '../screens/replays/search.ts';
import { CasePage } from './case-page.tsx';
import { report } from './given-report.ts';
import { Absent, ReportPage } from './report-page.tsx';
import styles from './report.module.css';

const root = createRootRoute({ component: Frame, notFoundComponent: Absent });

function Frame() {
  return (
    <main className={styles.frame}>
      <Outlet />
    </main>
  );
}

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    // TanStack Router takes what is thrown.
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw redirect({ to: '/replays/$replayId', params: { replayId: report.replay.id }, replace: true });
  },
});

// The addresses are those of the console, to which the links of its components lead.
const replay = createRoute({
  getParentRoute: () => root,
  path: '/replays/$replayId',
  validateSearch: parseReplaySearch,
  component: ReportPage,
});

const oneCase = createRoute({
  getParentRoute: () => root,
  path: '/replays/$replayId/cases/$position',
  component: CasePage,
});

/** The pages of a report. Their addresses stand behind `#`, so that a file has them too. */
export const router = createRouter({
  routeTree: root.addChildren([start, replay, oneCase]),
  history: createHashHistory(),
});
