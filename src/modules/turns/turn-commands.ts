import type { HoldfastClient } from '../../clients/client/index.ts';
import { printJson, type OutputOptions } from '../../clients/cli/output.ts';
import { readAll } from '../../clients/cli/pages.ts';
import type { Terminal } from '../../clients/cli/terminal.ts';
import { toTimeline } from '../../clients/cli/timeline.ts';

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
