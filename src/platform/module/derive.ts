import type { z } from 'zod';
import type { EngineParts, Module, Table, WorkerPart } from './define-module.ts';

/** The endpoints of modules. */
export type RouteOf<Some> = Some extends { routes: readonly (infer Each)[] } ? Each : never;
/** The doors of modules. */
export type DoorOf<Some> = Some extends { doors: readonly (infer Each)[] } ? Each : never;
type TakesParts<Some> = Some extends { worker: (parts: infer Parts) => WorkerPart }
  ? (parts: Parts) => void
  : never;

/** All members of a union at once. */
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The calls to Temporal that the routes of modules use. */
export type EngineOf<Some> = Intersection<
  Some extends { engine: (parts: EngineParts) => infer Calls } ? Calls : never
>;
type BuildsApi<Some> = Some extends { api: (parts: infer Parts) => infer Built } ? [Parts, Built] : never;

/** Everything that the routes of modules use besides engines and services. */
export type ApiOf<Some> = Intersection<BuildsApi<Some>[1]>;
/** Everything that this is built from. */
export type ApiPartsOf<Some> = Intersection<BuildsApi<Some>[0]>;

/** Everything that modules use of the parts of a worker. */
export type PartsOf<Some> = (Some extends unknown ? TakesParts<Some> : never) extends (
  parts: infer Parts,
) => void
  ? Parts
  : never;

/** Lists the endpoints of modules. */
export function listRoutes<Some extends Module>(modules: readonly Some[]): RouteOf<Some>[] {
  return modules.flatMap(({ routes = [] }) => routes) as RouteOf<Some>[];
}

/** Lists the doors of modules outside the REST API. */
export function listDoors<Some extends Module>(modules: readonly Some[]): DoorOf<Some>[] {
  return modules.flatMap(({ doors = [] }) => doors) as DoorOf<Some>[];
}

/** Lists the tables of modules, in the order in which rows are removed. */
export function listTables(modules: readonly Module[]): Table[] {
  return modules.flatMap(({ tables = [] }) => tables);
}

/** Builds the calls to Temporal that the routes of modules use. */
export function createEngines<Some extends Module>(
  modules: readonly Some[],
  parts: EngineParts,
): EngineOf<Some> {
  return Object.assign({}, ...modules.map(({ engine }) => engine?.(parts))) as EngineOf<Some>;
}

/** Builds what the routes of modules use besides engines and services. */
export function createApiParts<Some extends Module>(
  modules: readonly Some[],
  parts: ApiPartsOf<Some>,
): ApiOf<Some> {
  return Object.assign({}, ...modules.map(({ api }) => api?.(parts as never))) as ApiOf<Some>;
}

/** Gives schemas of modules their names in the OpenAPI document. */
export function nameSchemas(
  modules: readonly Module[],
  registry: Pick<typeof z.globalRegistry, 'add'>,
): void {
  for (const { schemas = {} } of modules)
    for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
}

/** A module whose part of a worker is built from these parts of it. */
export interface ModuleWith<Parts> extends Omit<Module, 'worker'> {
  worker?: (parts: Parts) => WorkerPart;
}

/** Builds the parts that modules have in the work of a worker. */
export function createWorkerParts<Parts>(modules: readonly ModuleWith<Parts>[], parts: Parts): WorkerPart[] {
  return modules.flatMap(({ worker }) => (worker ? [worker(parts)] : []));
}
