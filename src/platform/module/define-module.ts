import type { Client } from '@temporalio/client';
import type { z } from 'zod';
import type { Door } from '../http/door.ts';
import type { Route } from '../http/route.ts';
import type { ActivityQueue } from '../temporal/worker-options.ts';
import type { Sweep } from '../work/sweep-rows.ts';
import type { WorkKind } from '../work/work-kind.ts';

/** A table of a module. Its rows are removed with their workspace. */
export interface Table {
  name: string;
  /** The columns that identify a row. @default `id` */
  key?: readonly string[];
  /** The maximum number of rows that one transaction removes. */
  most: number;
}

type Report<Arguments extends unknown[]> = (...callArguments: Arguments) => Promise<void>;

/** Returns a call that reports stored work to Temporal. No request waits long for it, and a sweep repeats one that fails. */
export type ToReport = <Arguments extends unknown[]>(
  name: string,
  call: Report<Arguments>,
) => Report<Arguments>;

/** The parts that the engines of modules are built from. */
export interface EngineParts {
  client: Client;
  taskQueue: string;
  /** Whether lists of workflows show names and the start of messages. */
  listsMessages: boolean;
  toReport: ToReport;
}

/** The part that a module has in the work of a worker. */
export interface WorkerPart {
  activities?: object;
  /** The kinds of stored work that workflows of the module look after. */
  work?: readonly WorkKind[];
  /** Repairs besides those of stored work. */
  sweeps?: readonly Sweep[];
}

/**
 * Everything that the program composes of a module. A list of nouns anywhere else is derived from the records in
 * `src/main/modules.ts`, except that of commands, which must load no server.
 */
export interface Module {
  name: string;
  /** The endpoints of its REST API. */
  routes?: readonly Route<never>[];
  /** Its endpoints outside the REST API, such as pages and the URLs that vendors call. */
  doors?: readonly Door<never>[];
  /** Its schemas by their names in the OpenAPI document. */
  schemas?: Record<string, z.ZodType>;
  /** Its tables; those that refer to others come first. */
  tables?: readonly Table[];
  /** The task queues of its activities, besides that of turns. */
  queues?: readonly ActivityQueue[];
  /** Builds the calls to Temporal that its routes use. */
  engine?: (parts: EngineParts) => object;
  /** Builds what its routes and doors use besides engines and services, from what it names of both. */
  api?: (parts: never) => object;
  /** Builds its part of a worker, from what it names of the parts of a worker. */
  worker?: (parts: never) => WorkerPart;
}

/** Declares a module. TypeScript keeps the types of its routes, doors and parts. */
export function defineModule<const Defined extends Module>(module: Defined): Defined {
  return module;
}
