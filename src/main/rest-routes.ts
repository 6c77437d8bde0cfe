import { z } from 'zod';
import { jsonObjectSchema, jsonValueSchema } from '../domain/json-value.ts';
import { stuckSchema } from '../domain/stuck-workflow.ts';
import { errorInfoSchema } from '../domain/turn.ts';
import type { DependenciesOf, Door } from '../platform/http/door.ts';
import { refuseOtherMethods } from '../platform/http/refuse-other-methods.ts';
import { listRoutes, nameSchemas } from '../platform/module/derive.ts';
import { codecRoutes } from './codec-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { modules } from './modules.ts';

// Gives schemas their names in the OpenAPI document. The registry also holds the descriptions.
const named = z.globalRegistry;
named.add(jsonObjectSchema, { id: 'JsonObject', type: 'object', additionalProperties: true });
const shared = { ErrorInfo: errorInfoSchema, JsonValue: jsonValueSchema, Stuck: stuckSchema };
nameSchemas([{ name: 'domain', schemas: shared }, ...modules], named);

/** Every endpoint of the API. */
export const routes = [...listRoutes(modules), ...codecRoutes, ...healthRoutes];

/** Everything that the routes of the REST API use. */
export type RestDependencies = DependenciesOf<(typeof routes)[number]['addTo']>;

/** Adds every endpoint of the REST API. */
export const addRestRoutes: Door<RestDependencies> = (server, dependencies, closing) => {
  for (const route of routes) route.addTo(server, dependencies, closing);
  refuseOtherMethods(server, routes);
};
