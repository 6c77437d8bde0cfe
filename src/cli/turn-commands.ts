import type { HoldfastClient } from '../client/index.ts';
import { toCount } from './format.ts';
import { readAll } from './pages.ts';
import type { Terminal } from './terminal.ts';
import { toTimeline } from './timeline.ts';

/** Whether a command prints JSON instead of lines for people. */
export interface OutputOptions {
  json?: boolean;
}

interface CommandServices {
  client: HoldfastClient;
  terminal: Terminal;
}

/** Shows one turn as a timeline with its answer. */
export async function showTurn(
  { client, terminal }: CommandServices,
  turnId: string,
  options: OutputOptions,
) {
  const turn = await client.turns.get(turnId);
  const events = await readAll((page) => client.turns.events(turnId, page));
  if (options.json) printJson(terminal, { turn, events });
  else for (const line of toTimeline(turn, events)) terminal.line(line);
}

/** Asks a turn to stop and prints its status. */
export async function cancelTurn(
  { client, terminal }: CommandServices,
  turnId: string,
  options: OutputOptions,
) {
  await client.turns.cancel(turnId);
  const turn = await client.turns.get(turnId);
  const state = turn.outcome === null ? 'is asked to stop' : `is ${turn.outcome.replaceAll('_', ' ')}`;
  if (options.json) printJson(terminal, turn);
  else terminal.line(`Turn ${turn.id} ${state}.`);
}

/** Lists the agents, one line each. */
export async function listAgents({ client, terminal }: CommandServices, options: OutputOptions) {
  const agents = await readAll((page) => client.agents.list(page));
  if (options.json) {
    printJson(terminal, agents);
    return;
  }
  if (agents.length === 0) terminal.line('There is no agent yet.');
  for (const { id, name, model, version, tools } of agents) {
    terminal.line(`${id}  ${name}  ${model}  version ${version}  ${toCount(tools.length, 'tool')}`);
  }
}

/** Prints a value for programs. */
export function printJson(terminal: Terminal, value: unknown): void {
  terminal.line(JSON.stringify(value, null, 2));
}
