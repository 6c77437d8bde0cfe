import { parseArgs } from 'node:util';
import { scenarios, type Scenario } from './scenarios.ts';

/** The options on the command line of `npm run faults`. */
export interface FaultOptions {
  help: boolean;
  /** The file for the figures as JSON. */
  json: string | undefined;
  scenarios: readonly Scenario[];
}

/** The output of `npm run faults -- --help`. */
export const faultsHelp = `npm run faults [-- options]
Runs turns while processes are killed and stopped, and checks what became of every turn and tool call. About 20 minutes.

  --only NAME  only one scenario: ${scenarios.map(({ name }) => name).join(', ')}
  --json FILE  write the figures to FILE too
  --help       this text`;

/**
 * Reads the command line of `npm run faults`.
 * @throws Error that names an option or a scenario that does not exist
 */
export function parseFaultOptions(commandArguments: string[]): FaultOptions {
  const { values } = parseArgs({
    args: commandArguments,
    options: {
      help: { type: 'boolean', default: false },
      json: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const { help, json, only } = values;
  if (only === undefined) return { help, json, scenarios };
  const chosen = scenarios.filter(({ name }) => name === only);
  if (chosen.length === 0) {
    const names = scenarios.map(({ name }) => name).join(', ');
    throw new Error(`--only is "${only}", expected one of ${names}.`);
  }
  return { help, json, scenarios: chosen };
}
