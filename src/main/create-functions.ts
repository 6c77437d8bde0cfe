import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Services } from './create-services.ts';
import { loadFunctions } from '../functions/load-functions.ts';
import { createImageGenerator } from '../models/create-image-generator.ts';
import type { FunctionBackEnds } from '../tools/functions/built-in-functions.ts';
import { createFunctionRegistry, type FunctionRegistry } from '../tools/functions/function-registry.ts';
import { toToolFunction } from '../tools/functions/own-function.ts';

interface FunctionParts {
  config: Pick<Config, 'functions'>;
  logger: Pick<Logger, 'warn'>;
}

/** Puts the loaded functions beside the built-in ones; without back ends the registry is good for lists and checks. */
export type CreateFunctions = (backEnds?: FunctionBackEnds) => FunctionRegistry;

/**
 * Loads the operator's functions, once and before anything else is opened.
 * @throws HoldfastError `INVALID_INPUT` that names the file which is wrong
 */
export async function loadFunctionRegistry({ config, logger }: FunctionParts): Promise<CreateFunctions> {
  const { source, secrets } = config.functions;
  const loaded = await loadFunctions(source);
  const own = loaded.map(({ definition, source: file }) => ({
    ...toToolFunction(definition, { secrets, logger }),
    source: file,
  }));
  const create: CreateFunctions = (backEnds) =>
    createFunctionRegistry({ own, ...(backEnds ? { backEnds } : {}) });
  // A name that is taken shows now.
  create();
  return create;
}

type BackEndServices = Pick<
  Services,
  'connectionAccess' | 'router' | 'knowledge' | 'blobs' | 'modelConnections'
>;

/** What the built-in functions search and make images with. */
export function createFunctionBackEnds(
  { models }: Pick<Config, 'models'>,
  { connectionAccess, router, knowledge, blobs, modelConnections }: BackEndServices,
): FunctionBackEnds {
  return {
    connections: connectionAccess,
    router,
    searchKnowledge: knowledge.search,
    generateImage: createImageGenerator(models, modelConnections),
    blobs,
  };
}
