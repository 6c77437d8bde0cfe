import type { Jq } from 'jq-wasm';
import type { JsonObject, JsonValue } from '../../../domain/json.ts';

/** Programs of jq that are evaluated on the same value, with the same variables. */
export interface JqTask {
  programs: string[];
  dot: JsonValue;
  variables: JsonObject;
}

/** The first output of each program, null for one without any; or what is wrong with one of them. */
export type JqAnswer = { values: JsonValue[] } | { problem: string };

/** The maximum number of characters of the values that one task answers. */
const mostCharacters = 512 * 1024;

/**
 * Definitions that hide the builtins by which a program could see more than its input: a clock, the environment, further
 * input and the files of the program. A local definition wins over a builtin.
 */
const hidden = [
  ...[
    'now',
    'input',
    'inputs',
    'halt',
    'input_filename',
    'input_line_number',
    'get_search_list',
    'localtime',
  ],
  ...['env', 'debug', 'stderr', 'halt_error', 'modulemeta'],
].map((name) => `def ${name}: error("${name} is not available");`);

const refusals = `${hidden.join(' ')} def halt_error($code): halt_error; def strflocaltime($format): localtime; def debug($message): debug; `;

const variableName = /^[A-Za-z_]\w*$/;

/** Evaluates programs. Its time is not limited here; the module of jq has at most 256 MiB of memory. */
export function runJqTask(jq: Pick<Jq, 'raw'>, { programs, dot, variables }: JqTask): JqAnswer {
  const names = Object.keys(variables).filter((name) => variableName.test(name));
  const bound = names.map((name) => `.v.${name} as $${name} | `).join('');
  // A comment in a program ends with its line, and a bracket that is not its own is an error of its syntax.
  const lists = programs.map((program) => `[first(\n${program}\n)]`).join(', ');
  const program = `{} as $ENV | ${bound}${refusals}.d | [${lists}]`;
  const { stdout, stderr, exitCode } = jq.raw({ d: dot, v: variables }, program, ['-c']);
  if (exitCode !== 0) return { problem: toProblem(stderr, exitCode) };
  if (stdout.length > mostCharacters)
    return { problem: `the result has more than ${mostCharacters} characters` };
  const values = JSON.parse(stdout) as JsonValue[][];
  return { values: values.map(([first = null]) => first) };
}

function toProblem(stderr: string, exitCode: number): string {
  const text = stderr
    .replaceAll(/ \(at \/dev\/stdin:\d+\)| at <top-level>, line \d+, column \d+/g, '')
    .replaceAll(/^jq: (error|\d+ compile errors?):? ?/gm, '')
    .split('\n', 1)[0]
    ?.trim();
  return text === undefined || text === '' ? `jq ended with code ${exitCode}` : text.slice(0, 500);
}
