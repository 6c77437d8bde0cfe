import { parseArgs } from 'node:util';

/** The options on the command line of `npm start`. */
export interface DevOptions {
  help: boolean;
  worker: boolean;
  /** A data folder that replaces the configured one. */
  data?: string;
}

/** The output of `npm start -- --help`. */
export const devHelp = `npm start [-- options]
Starts Temporal with its Web UI, Postgres, the API and the worker, and stops them on Ctrl-C.

  --no-worker   all but the worker; "npm run worker" starts one
  --data DIR    keep the data in DIR instead of .holdfast
  --help        this text

With DATABASE_URL, or TEMPORAL_ADDRESS or a temporal.toml profile, those are used instead of embedded ones.
PORT is the port of the API (3400).`;

/**
 * Reads the command line of `npm start`.
 * @throws Error that names an option that does not exist
 */
export function parseDevOptions(commandArguments: string[]): DevOptions {
  const { values } = parseArgs({
    args: commandArguments,
    options: {
      help: { type: 'boolean', default: false },
      'no-worker': { type: 'boolean', default: false },
      data: { type: 'string' },
    },
  });
  const { data, help } = values;
  return { help, worker: !values['no-worker'], ...(data === undefined ? {} : { data }) };
}
