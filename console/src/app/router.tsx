import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Failure, NotFound } from './failure.tsx';
import type { ScreenPage } from './screen.ts';
import { screens } from './screens.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

function toRoute({ path, load, search = () => ({}) }: ScreenPage) {
  return createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: search,
    component: lazyRouteComponent(load, 'Page'),
  });
}

/** The pages of all screens. */
export const router = createRouter({
  routeTree: root.addChildren(screens.flatMap(({ pages }) => pages.map(toRoute))),
  defaultPreload: 'intent',
  defaultErrorComponent: Failure,
  scrollRestoration: true,
});
