import { parseArgs } from 'node:util';

/** The options on the command line of `npm start`. */
export interface DevOptions {
  help: boolean;
  worker: boolean;
  /** Whether the agents of the code are pushed when their files are saved. */
  push: boolean;
  /** Whether all that the API and the worker log is shown. */
  verbose: boolean;
  /** A data folder that replaces the configured one. */
  data?: string;
}

/** The output of `npm start -- --help`. */
export const devHelp = `npm start [-- options]
Starts Temporal with its Web UI, Postgres, the API and the worker, and stops them on Ctrl-C.

  --no-worker   all but the worker; "npx holdfast worker" starts one
  --no-push     does not push the agents of the folder agents/ when a file is saved
  --verbose     shows all that the API and the worker log; .holdfast/logs/ has it anyway
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
      'no-push': { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      data: { type: 'string' },
    },
  });
  const { data, help, verbose } = values;
  const [worker, push] = [!values['no-worker'], !values['no-push']];
  return { help, worker, push, verbose, ...(data === undefined ? {} : { data }) };
}
