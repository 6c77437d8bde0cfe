import { parseArgs } from 'node:util';
import { engineNames, type EngineName } from './engines/engine.ts';

/** The parts of the scale measurement. */
const scaleParts = ['load', 'worker'] as const;
export type ScalePart = (typeof scaleParts)[number];

/** The options on the command line of `npm run bench`. */
export interface BenchOptions {
  help: boolean;
  quick: boolean;
  /** Measures Holdfast beside other engines. */
  peers: boolean;
  /** Measures Holdfast beside other engines while the answers of many turns stream to readers instead. */
  streamsLoad: boolean;
  /** The names of the rows of these two comparisons; empty for all. */
  only: readonly string[];
  /** How many conversations at once `streamsLoad` measures; empty for all of its loads. */
  atOnce: readonly number[];
  /** Measures turns of so many seconds in `streamsLoad`, in place of its loads; empty for its loads. */
  seconds: readonly number[];
  /** Measures these parts of an installation of many programs instead; undefined measures turns. */
  scale: readonly ScalePart[] | undefined;
  /** Measures replays of this many recorded turns instead; undefined measures turns. */
  replays: number | undefined;
  /** The file for the figures as JSON. */
  json: string | undefined;
  /** The folder for a CPU profile of each worker. */
  profile: string | undefined;
  engines: readonly EngineName[];
}

/** The output of `npm run bench -- --help`. */
export const benchHelp = `npm run bench [-- options]
Measures turns of Holdfast beside the raw engine, on an embedded Postgres and Temporal servers of its own.

  --quick        fewer turns: under 5 minutes instead of about 25
  --peers        Holdfast beside other engines instead, which are installed on demand (10 minutes)
  --streams-load Holdfast beside other engines while the answers of many turns stream (35 minutes; 12 with --quick)
  --only NAMES   only these rows of --peers or --streams-load, with commas between them
  --at N         only so many turns at once in --streams-load, several with commas between them
  --seconds N    turns of so many seconds in --streams-load, several with commas between them, such as 1,4,15,60: only Holdfast
                 unless --only names rows, 10 or 20 turns at once unless --at says otherwise (12 minutes; 6 with --quick)
  --scale        an installation of 8 programs under load instead, and one API and one worker (8 minutes)
  --part NAME    only one part of --scale: "${scaleParts.join('" or "')}"
  --replays      replays of recorded turns instead: their speed and memory, and what they do to live turns (6 minutes)
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
      peers: { type: 'boolean', default: false },
      only: { type: 'string' },
      at: { type: 'string' },
      seconds: { type: 'string' },
      'streams-load': { type: 'boolean', default: false },
      scale: { type: 'boolean', default: false },
      part: { type: 'string' },
      replays: { type: 'boolean', default: false },
      json: { type: 'string' },
      profile: { type: 'string' },
      engine: { type: 'string' },
    },
  });
  const { help, quick, peers, json, profile } = values;
  return {
    ...{ help, quick, peers, json, profile },
    streamsLoad: values['streams-load'],
    only: values.only?.split(',') ?? [],
    atOnce: values.at?.split(',').map(Number) ?? [],
    seconds: values.seconds?.split(',').map(Number) ?? [],
    scale: values.scale ? choose('--part', scaleParts, values.part) : undefined,
    replays: values.replays ? (quick ? 500 : 5_000) : undefined,
    engines: choose('--engine', engineNames, values.engine),
  };
}

/** Returns the one that was asked for, or all. */
function choose<Name extends string>(
  option: string,
  all: readonly Name[],
  request: string | undefined,
): readonly Name[] {
  if (request === undefined) return all;
  const chosen = all.find((name) => name === request);
  if (chosen === undefined) throw new Error(`${option} is "${request}", expected one of ${all.join(', ')}.`);
  return [chosen];
}
