import { parseArgs } from 'node:util';
import { engineNames, type EngineName } from './engines/engine.ts';

/** The parts of the scale measurement. */
const scaleParts = ['load', 'worker', 'limits', 'shards'] as const;
export type ScalePart = (typeof scaleParts)[number];

const defaultWaiting = 10_000;
const leastWaiting = 20;
const subtasksOfSwarm = 100;

/** The options on the command line of `npm run bench`. */
export interface BenchOptions {
  help: boolean;
  quick: boolean;
  /** Measures tools instead of turns. */
  tools: boolean;
  /** Compares the beginnings of the requests of a long conversation instead of measuring turns. */
  prefix: boolean;
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
  /** Measures this many turns that wait for approvals instead; undefined measures turns. */
  waiting: number | undefined;
  /** Measures replays of this many recorded turns instead; undefined measures turns. */
  replays: number | undefined;
  /** Measures this many runs of routines of many steps instead; undefined measures turns. */
  routines: number | undefined;
  /** Measures a swarm of this many subtasks instead; undefined measures turns. */
  swarms: number | undefined;
  /** Holds conversations of this many turns in each mode of compaction instead; undefined measures turns. */
  context: number | undefined;
  /** Measures the memory of the API during this many uploads of files instead; undefined measures turns. */
  files: number | undefined;
  /** Measures turns of one workspace beside another one with many turns that wait instead. */
  fairness: boolean;
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
  --tools        discovery of 1,000 tools and turns through the gateway instead (1 minute)
  --prefix       whether the requests of 100 turns begin alike, for caches of vendors, instead (1 minute)
  --peers        Holdfast beside other engines instead, which are installed on demand (10 minutes)
  --streams-load Holdfast beside other engines while the answers of many turns stream (35 minutes; 12 with --quick)
  --only NAMES   only these rows of --peers or --streams-load, with commas between them
  --at N         only so many turns at once in --streams-load, several with commas between them
  --seconds N    turns of so many seconds in --streams-load, several with commas between them, such as 1,4,15,60: only Holdfast
                 unless --only names rows, 10 or 20 turns at once unless --at says otherwise (12 minutes; 6 with --quick)
  --scale        an installation of 8 programs under load instead, and what limits more of them (9 minutes)
  --part NAME    only one part of --scale: "${scaleParts.join('" or "')}"
  --waiting      turns that wait for approvals instead: their size, their idle cost, decisions (20 minutes)
  --count N      how many turns wait; 200 for a first look (default ${defaultWaiting})
  --replays      replays of recorded turns instead: their speed and memory, and what they do to live turns (6 minutes)
  --routines     routines of 100 steps beside bare workflows of as many activities instead (4 minutes)
  --swarms       a swarm of 100 subtasks instead, beside the raw engine and turns without a swarm (1 minute)
  --fairness     turns of one workspace beside 1,000 of another one that wait instead (4 minutes)
  --context      conversations of 2,000 turns in each mode of compaction instead: their tokens, what is known at the end (10 minutes)
  --files        100 uploads of 50 MiB and the memory of the API instead (4 minutes)
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
      prefix: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
      only: { type: 'string' },
      at: { type: 'string' },
      seconds: { type: 'string' },
      'streams-load': { type: 'boolean', default: false },
      scale: { type: 'boolean', default: false },
      part: { type: 'string' },
      waiting: { type: 'boolean', default: false },
      count: { type: 'string' },
      replays: { type: 'boolean', default: false },
      routines: { type: 'boolean', default: false },
      swarms: { type: 'boolean', default: false },
      files: { type: 'boolean', default: false },
      fairness: { type: 'boolean', default: false },
      context: { type: 'boolean', default: false },
      json: { type: 'string' },
      profile: { type: 'string' },
      engine: { type: 'string' },
    },
  });
  const { help, quick, tools, prefix, peers, fairness, json, profile } = values;
  return {
    ...{ help, quick, tools, prefix, peers, fairness, json, profile },
    streamsLoad: values['streams-load'],
    only: values.only?.split(',') ?? [],
    atOnce: values.at?.split(',').map(Number) ?? [],
    seconds: values.seconds?.split(',').map(Number) ?? [],
    scale: values.scale ? choose('--part', scaleParts, values.part) : undefined,
    waiting: values.waiting ? parseCount(values.count) : undefined,
    replays: values.replays ? (quick ? 500 : 5_000) : undefined,
    routines: values.routines ? (quick ? 8 : 32) : undefined,
    context: values.context ? (quick ? 200 : 2_000) : undefined,
    swarms: values.swarms ? subtasksOfSwarm : undefined,
    files: values.files ? (quick ? 20 : 100) : undefined,
    engines: choose('--engine', engineNames, values.engine),
  };
}

function parseCount(text = String(defaultWaiting)): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < leastWaiting) {
    throw new Error(`--count is "${text}", expected a whole number from ${leastWaiting}.`);
  }
  return count;
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
