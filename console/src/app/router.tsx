import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
} from '@tanstack/react-router';
import { queryClient, sessionKey } from '../api/query-client.ts';
import type { Identity } from '../api/scope.ts';
import { Failure, NotFound } from './failure.tsx';
import type { Screen, ScreenPage } from './screen.ts';
import { screens } from './screens.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

function toRoute({ anyOf }: Screen, { path, load, search = () => ({}) }: ScreenPage) {
  return createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: search,
    beforeLoad: () => {
      const { scopes = [] } = queryClient.getQueryData<Identity>(sessionKey) ?? {};
      // TanStack Router takes what is thrown.
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      if (anyOf && !anyOf.some((scope) => scopes.includes(scope))) throw notFound();
    },
    component: lazyRouteComponent(load, 'Page'),
  });
}

/** The pages of all screens. */
export const router = createRouter({
  routeTree: root.addChildren(screens.flatMap((screen) => screen.pages.map((page) => toRoute(screen, page)))),
  defaultPreload: 'intent',
  defaultErrorComponent: Failure,
  scrollRestoration: true,
});
