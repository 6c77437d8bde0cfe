import { consoleDoor } from '../platform/http/console-door.ts';
import type { Module } from '../platform/module/define-module.ts';
import { listDoors, type DoorOf } from '../platform/module/derive.ts';
import { modules } from './modules.ts';
import { createRestDoor, type RestDoor } from './rest-routes.ts';

/** Lists the functions that add routes to an API of these modules. */
export function listApiDoors<Some extends Module>(
  of: readonly Some[],
): (DoorOf<Some> | RestDoor<Some> | typeof consoleDoor)[] {
  return [...listDoors(of), createRestDoor(of), consoleDoor];
}

/** The functions that add routes to the API. */
export const doors = listApiDoors(modules);
