import path from 'node:path';
import { z } from 'zod';
import { dataDirSchema, optionalUrl, parseEnvironment } from '../../platform/lib/parse-environment.ts';

const clientEnvironmentSchema = z.object({
  HOLDFAST_URL: optionalUrl,
  HOLDFAST_API_KEY: z.string().min(1).optional(),
  HOLDFAST_DATA_DIR: dataDirSchema,
  HOLDFAST_AGENTS: z.string().min(1).default('agents'),
});

/**
 * Reads the settings of a client on this machine, without those that only a server needs.
 * @throws HoldfastError `INVALID_INPUT` that names each wrong variable and what it should be
 */
export function loadClientConfig(environment: NodeJS.ProcessEnv) {
  const values = parseEnvironment(clientEnvironmentSchema, environment);
  return {
    url: values.HOLDFAST_URL,
    apiKey: values.HOLDFAST_API_KEY,
    /** The folder of the agents that code defines. */
    agents: values.HOLDFAST_AGENTS,
    dataDir: path.resolve(values.HOLDFAST_DATA_DIR),
  };
}

/** The names of the variables that the terminal program reads. */
export const clientEnvironmentNames = Object.keys(clientEnvironmentSchema.shape);
