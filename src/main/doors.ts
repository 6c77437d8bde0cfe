import { listDoors } from '../platform/module/derive.ts';
import { modules } from './modules.ts';
import { addRestRoutes } from './rest-routes.ts';

/** The functions that add routes to the API. */
export const doors = [...listDoors(modules), addRestRoutes];
