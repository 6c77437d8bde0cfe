import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { TurnDependencies } from '../turns/turn-dependencies.ts';
import type { ToolServices } from '../tools/tool-services.ts';
import type { Services } from './create-services.ts';

/** Parts that the services of core functions are built from. */
export interface ToolServiceParts {
  services: Services;
  /** The connection to Temporal of the program that runs the functions. */
  client: Client;
  /** The dependencies of the use cases in `src/turns`. */
  turnDependencies: TurnDependencies;
  logger: Logger;
}

/** Builds the services that core functions call: one line for each service that a function has declared. */
// eslint-disable-next-line @typescript-eslint/no-unused-vars -- no function has declared a service yet
export function createToolServices(_parts: ToolServiceParts): ToolServices {
  return {};
}
