import { z } from 'zod';
import { jsonObjectSchema, jsonValueSchema } from '../domain/json-value.ts';
import { stuckSchema } from '../domain/stuck-workflow.ts';
import { errorInfoSchema } from '../domain/turn.ts';
import type { DependenciesOf, Door } from '../platform/http/door.ts';
import { refuseOtherMethods } from '../platform/http/refuse-other-methods.ts';
import type { Route } from '../platform/http/route.ts';
import type { Module } from '../platform/module/define-module.ts';
import { listRoutes, nameSchemas, type RouteOf } from '../platform/module/derive.ts';
import { codecRoutes } from './codec-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { modules } from './modules.ts';

// Gives schemas their names in the OpenAPI document. The registry also holds the descriptions.
const named = z.globalRegistry;
named.add(jsonObjectSchema, { id: 'JsonObject', type: 'object', additionalProperties: true });
// Not in terms of itself: some generators of types cannot express that.
const plain = ['string', 'number', 'boolean', 'null'].map((type) => ({ type }));
const anyOf = [...plain, { type: 'array', items: {} }, { type: 'object' }];
named.add(jsonValueSchema, { id: 'JsonValue', anyOf });
const shared = { ErrorInfo: errorInfoSchema, Stuck: stuckSchema };
nameSchemas([{ name: 'domain', schemas: shared }, ...modules], named);

const ownRoutes = [...codecRoutes, ...healthRoutes];

/** The endpoints of an API of modules. */
export type ApiRoute<Some> = RouteOf<Some> | (typeof ownRoutes)[number];

/** Lists every endpoint of an API of these modules. */
export function listApiRoutes<Some extends Module>(of: readonly Some[]): ApiRoute<Some>[] {
  return [...listRoutes(of), ...ownRoutes];
}

/** Every endpoint of the API. */
export const routes = listApiRoutes(modules);

type DoorOfRoute<Some> = Some extends { addTo: infer Adding extends Door<never> } ? Adding : never;

/** The door that adds the endpoints of a REST API of modules. It needs what any of them needs. */
export type RestDoor<Some> = Door<DependenciesOf<DoorOfRoute<ApiRoute<Some>>>>;

/** Creates the door that adds the endpoints of a REST API, and refuses the other methods of their paths. */
export function createRestDoor<Some extends Module>(of: readonly Some[]): RestDoor<Some> {
  const added = listApiRoutes(of) as Route<never>[];
  return (server, dependencies, closing) => {
    for (const route of added) route.addTo(server, dependencies as never, closing);
    refuseOtherMethods(server, added);
  };
}
