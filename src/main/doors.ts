import type { Module } from '../platform/module/define-module.ts';
import { modules, type AnyModule } from './modules.ts';
import { addRestRoutes } from './rest-routes.ts';

type DoorOf<Some> = Some extends { doors: readonly (infer Each)[] } ? Each : never;

/** The functions that add routes to the API. */
export const doors = [
  ...((modules as readonly Module[]).flatMap((module) => module.doors ?? []) as DoorOf<AnyModule>[]),
  addRestRoutes,
];
