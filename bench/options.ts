import { parseArgs } from 'node:util';
import { engineNames, type EngineName } from './engines/engine.ts';

/** The options on the command line of `npm run bench`. */
export interface BenchOptions {
  help: boolean;
  quick: boolean;
  /** Measures tools instead of turns. */
  tools: boolean;
  /** Measures Holdfast beside other engines. */
  peers: boolean;
  /** The names of the rows of that comparison; empty for all. */
  only: readonly string[];
  /** The file for the figures as JSON. */
  json: string | undefined;
  /** The folder for a CPU profile of each worker. */
  profile: string | undefined;
  engines: readonly EngineName[];
}

/** The output of `npm run bench -- --help`. */
export const benchHelp = `npm run bench [-- options]
Measures turns of Holdfast beside the raw engine, on an embedded Postgres and Temporal servers of its own.

  --quick        fewer turns: under 5 minutes instead of about 40
  --tools        discovery of 1,000 tools and turns through the gateway instead (1 minute)
  --peers        Holdfast beside other engines instead, which are installed on demand (10 minutes)
  --only NAMES   only these rows of --peers, with commas between them
  --json FILE    write the figures to FILE too
  --engine NAME  only one engine: "${engineNames.join('" or "')}"
  --profile DIR  leave a CPU profile of each worker in DIR (costs some speed)
  --help         this text`;

/**
 * Reads the command line of `npm run bench`.
 * @throws Error that names an option or an engine that does not exist
 */
export function parseBenchOptions(commandArguments: string[]): BenchOptions {
  const { values } = parseArgs({
    args: commandArguments,
    options: {
      help: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      tools: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string' },
      profile: { type: 'string' },
      engine: { type: 'string' },
    },
  });
  const { help, quick, tools, peers, json, profile } = values;
  const only = values.only?.split(',') ?? [];
  return { help, quick, tools, peers, only, json, profile, engines: toEngines(values.engine) };
}

function toEngines(request: string | undefined): readonly EngineName[] {
  if (request === undefined) return engineNames;
  const engine = engineNames.find((name) => name === request);
  if (engine === undefined) {
    throw new Error(`--engine is "${request}", expected one of ${engineNames.join(', ')}.`);
  }
  return [engine];
}
