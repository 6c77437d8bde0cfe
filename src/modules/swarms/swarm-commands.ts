import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type {
  CreateSwarmData,
  HoldfastClient,
  SwarmDetails,
  UpdateSwarmData,
} from '../../clients/client/index.ts';
import { toOneLine } from '../../domain/text.ts';
import { addList, addOneId, run } from '../../clients/cli/command.ts';
import { readAll } from '../../clients/cli/pages.ts';
import { toStuckLines } from '../../clients/cli/format.ts';
import type { Terminal } from '../../clients/cli/terminal.ts';
import { printJson, type OutputOptions } from '../../clients/cli/output.ts';

interface CommandServices {
  client: HoldfastClient;
  terminal: Terminal;
}

interface StartOptions extends OutputOptions {
  leader?: string;
  file?: string;
  wait?: boolean;
}

/** How often a swarm is read whose end a command waits for, in milliseconds. */
const pollMs = 500;

/** Adds the commands of swarms. */
export function addSwarms(program: Command): void {
  const swarms = program.command('swarms').description('Let several agents work on one goal.');
  swarms
    .command('start [goal...]')
    .description('Start a swarm with a leader that plans, or with the request in a file.')
    .option('--leader <agent>', 'the id of the agent that plans')
    .option('--file <file>', 'the request as JSON: kind, goal, teamConfig, subtasks, limits')
    .option('--wait', 'wait for its end')
    .option('--json', 'print JSON')
    .action(async (words: string[], _options: unknown, command: Command) => {
      await run<StartOptions>(command, (services, options) => startSwarm(services, words.join(' '), options));
    });
  addList(swarms, listSwarms).description('List the swarms of the workspace.');
  addOneId(swarms, 'show <swarm>', showSwarm).description('Show the shared state of a swarm.');
  addOneId(swarms, 'update <swarm>', updateSwarm)
    .description('Change the shared state of a swarm.')
    .requiredOption('--file <file>', 'the change as JSON: subTasks, blackboard, teamConfig');
  addOneId(swarms, 'pause <swarm>', pauseSwarm).description('Let nothing more begin.');
  addOneId(swarms, 'resume <swarm>', resumeSwarm).description('Let a paused swarm go on.');
  addOneId(swarms, 'end <swarm>', endSwarm)
    .description('End a swarm once what runs has finished.')
    .option('--force', 'stop what runs')
    .option('--reason <text>', 'the reason');
}

async function startSwarm({ client, terminal }: CommandServices, goal: string, options: StartOptions) {
  const swarm = await client.swarms.create(toBody(goal, options));
  const shown = options.wait ? await waitForEnd(client, swarm) : swarm;
  if (options.json) printJson(terminal, shown);
  else printSwarm(terminal, shown);
}

function toBody(goal: string, { leader, file }: StartOptions): CreateSwarmData['body'] {
  if (file !== undefined) return JSON.parse(readFileSync(file, 'utf8')) as CreateSwarmData['body'];
  if (leader === undefined || goal === '')
    throw new Error('Give a goal and --leader, or the request with --file.');
  return { kind: 'simple', goal, leader };
}

async function waitForEnd(client: HoldfastClient, swarm: SwarmDetails): Promise<SwarmDetails> {
  let known = swarm;
  while (known.settledAt === null) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    known = await client.swarms.get(swarm.id);
  }
  return known;
}

function printSwarm(terminal: Terminal, swarm: SwarmDetails): void {
  const { id, status, reason, goal, result, state, pendingActions } = swarm;
  terminal.line(`Swarm ${id} is ${status}${reason === null ? '' : `: ${reason}`}`);
  for (const line of toStuckLines(swarm.stuck)) terminal.line(line);
  terminal.line(`Goal: ${toOneLine(goal, 200)}`);
  for (const subtask of state.subTasks) {
    const needed = subtask.depends_on.length > 0 ? `  after ${subtask.depends_on.join(', ')}` : '';
    const end = toOneLine(subtask.result ?? subtask.error?.message ?? '', 100);
    terminal.line(`  ${subtask.id}  ${subtask.status}${needed}  ${end}`.trimEnd());
  }
  for (const item of state.blackboard)
    terminal.line(`  ${item.id} = ${toOneLine(JSON.stringify(item.value), 100)}`);
  for (const { topic, from, text } of state.messages)
    terminal.line(`  ${from.agentName} to ${topic}: ${toOneLine(text, 100)}`);
  for (const { id, tool, subtaskId } of pendingActions)
    terminal.line(`  ${tool} of ${subtaskId ?? 'the leader'} waits for a decision: ${id}`);
  if (result !== null) terminal.line(`Result: ${toOneLine(result, 1_000)}`);
}

async function listSwarms({ client, terminal }: CommandServices, options: OutputOptions) {
  const swarms = await readAll((page) => client.swarms.list(page));
  if (options.json) {
    printJson(terminal, swarms);
    return;
  }
  if (swarms.length === 0) terminal.line('The workspace has no swarms.');
  for (const { id, status, createdAt, goal } of swarms)
    terminal.line(`${id}  ${createdAt}  ${status.padEnd(9)}  ${toOneLine(goal, 60)}`);
}

async function showSwarm({ client, terminal }: CommandServices, id: string, options: OutputOptions) {
  const swarm = await client.swarms.get(id);
  if (options.json) printJson(terminal, swarm);
  else printSwarm(terminal, swarm);
}

async function updateSwarm(
  { client, terminal }: CommandServices,
  id: string,
  { file, json }: OutputOptions & { file: string },
) {
  const change = JSON.parse(readFileSync(file, 'utf8')) as UpdateSwarmData['body'];
  const swarm = await client.swarms.update(id, change);
  if (json) printJson(terminal, swarm);
  else printSwarm(terminal, swarm);
}

async function pauseSwarm({ client, terminal }: CommandServices, id: string, options: OutputOptions) {
  printStatus(terminal, await client.swarms.pause(id), options);
}

async function resumeSwarm({ client, terminal }: CommandServices, id: string, options: OutputOptions) {
  printStatus(terminal, await client.swarms.resume(id), options);
}

async function endSwarm(
  { client, terminal }: CommandServices,
  id: string,
  { force = false, reason, json }: OutputOptions & { force?: boolean; reason?: string },
) {
  const mode = force ? 'force' : 'graceful';
  const swarm = await client.swarms.end(id, { mode, ...(reason === undefined ? {} : { reason }) });
  printStatus(terminal, swarm, json === undefined ? {} : { json });
}

function printStatus(
  terminal: Terminal,
  swarm: { id: string; status: string },
  { json = false }: OutputOptions,
): void {
  if (json) printJson(terminal, swarm);
  else terminal.line(`Swarm ${swarm.id} is ${swarm.status}.`);
}
