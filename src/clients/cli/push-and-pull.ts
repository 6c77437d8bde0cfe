import { existsSync } from 'node:fs';
import type { Agent } from '../client/index.ts';
import { applyPush } from '../code/apply-push.ts';
import { describePlan, hideSecrets } from '../code/describe-plan.ts';
import { openDirectory } from '../code/directory.ts';
import { findProject } from '../code/find-project.ts';
import { loadAgents } from '../code/load-agents.ts';
import { planPush, type PushPlan, type PushStep } from '../code/plan-push.ts';
import { pullAgents, type PulledAgent } from '../code/pull-agents.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { loadClientConfig } from './client-config.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandServices } from './command-table.ts';
import { confirm } from './confirm.ts';
import type { Terminal } from './terminal.ts';
import { printJson, type OutputOptions } from './output.ts';

interface FolderOptions extends OutputOptions {
  agents?: string;
}

/** The options of `holdfast push`. */
export interface PushOptions extends FolderOptions {
  dryRun?: boolean;
  prune?: boolean;
  yes?: boolean;
  project?: string;
}

/** The options of `holdfast pull`. */
export interface PullOptions extends FolderOptions {
  agent?: string[];
  force?: boolean;
}

/** The exit code of a dry run that found a difference; 1 is that of an error. */
const differs = 2;

/** Brings the agents of the code to the workspace. Returns the exit code. */
export async function runPush(services: CommandServices, options: PushOptions): Promise<number> {
  const { client, terminal, context } = services;
  const folder = toFolder(context, options);
  const loaded = await loadAgents(folder);
  const directory = await openDirectory(client);
  const { project = findProject(folder), prune = false, dryRun = false } = options;
  const plan = await planPush({ loaded, directory, project, prune });
  if (!options.json) printPlan(terminal, plan);
  const changes = plan.steps.filter(({ kind }) => kind !== 'same');
  if (dryRun) {
    if (options.json) printJson(terminal, toReport(plan, new Map()));
    else terminal.line(toDryRunLine(changes.length));
    return changes.length > 0 ? differs : 0;
  }
  await confirmDeletions(context, plan, options);
  const agents: PushedAgents = new Map();
  const onDone = (step: PushStep, agent: Agent | null) => {
    agents.set(step, agent);
    if (!options.json) printDone(terminal, step, agent);
  };
  await applyPush(plan, { client, directory, project, onDone });
  if (options.json) printJson(terminal, toReport(plan, agents));
  else if (changes.length === 0)
    terminal.line(`Nothing to push. The same as in the files: ${countAgents(plan.steps.length)}.`);
  return 0;
}

function toFolder({ environment }: CommandContext, { agents }: FolderOptions): string {
  return agents ?? loadClientConfig(environment).agents;
}

function printPlan(terminal: Terminal, plan: PushPlan): void {
  const colours = new Map([
    ['+', 'green'],
    ['-', 'red'],
    ['~', 'yellow'],
    ['!', 'yellow'],
  ] as const);
  for (const line of describePlan(plan)) {
    const colour = colours.get(/^\s*([-+~!]) /.exec(line)?.[1] as '+');
    terminal.line(colour === undefined ? line : terminal.style(colour, line));
  }
}

function toDryRunLine(count: number): string {
  return count === 0 ? 'No difference.' : `Nothing was pushed. A push would change ${countAgents(count)}.`;
}

function countAgents(count: number): string {
  return count === 1 ? '1 agent' : `${count} agents`;
}

async function confirmDeletions(
  context: CommandContext,
  { steps }: PushPlan,
  { yes, json }: PushOptions,
): Promise<void> {
  const names = steps.flatMap(({ kind, name }) => (kind === 'delete' ? [`"${name}"`] : []));
  if (names.length === 0) return;
  await confirm(`Delete ${names.join(', ')}?`, { context, yes, json, refusal: 'Nothing was pushed.' });
}

function printDone(terminal: Terminal, step: PushStep, agent: Agent | null): void {
  if (step.kind === 'same') return;
  terminal.line(agent ? `Pushed ${step.name}: version ${agent.version}.` : `Deleted ${step.name}.`);
  for (const { field, message } of agent?.warnings ?? [])
    terminal.line(`! ${step.name}: ${field}: ${message}`);
}

/** The agents as they are after their steps. */
type PushedAgents = Map<PushStep, Agent | null>;

function toReport({ steps, leftOver, warnings }: PushPlan, agents: PushedAgents) {
  const reported = steps.map((step) => ({
    ...{ kind: step.kind, name: step.name },
    ...('source' in step && { file: step.source }),
    ...(step.kind === 'update' && { differences: step.comparison.differences.map(hideSecrets) }),
    agentId: agents.get(step)?.id ?? ('agent' in step ? step.agent.id : null),
    version: agents.get(step)?.version ?? null,
  }));
  return { steps: reported, leftOver, warnings };
}

/** Writes the agents of the workspace to files. Returns the exit code: 1 when a file was kept that differs. */
export async function runPull(services: CommandServices, options: PullOptions): Promise<number> {
  const { client, terminal, context } = services;
  const folder = toFolder(context, options);
  const loaded = existsSync(folder) ? await loadAgents(folder) : [];
  const directory = await openDirectory(client);
  const agents = chooseAgents(directory.agents, options.agent);
  const pulled = await pullAgents({ folder, loaded, directory, agents, force: options.force ?? false });
  if (options.json) printJson(terminal, pulled);
  else printPulled(terminal, pulled);
  return pulled.some(({ kind }) => kind === 'kept') ? 1 : 0;
}

/** @throws HoldfastError `NOT_FOUND` that lists the existing agents */
function chooseAgents(all: Agent[], wanted: string[] | undefined): Agent[] {
  const missing = wanted?.find((text) => !all.some(({ id, name }) => id === text || name === text));
  if (missing === undefined)
    return wanted ? all.filter(({ id, name }) => wanted.includes(id) || wanted.includes(name)) : all;
  const names = all.map(({ name }) => `"${name}"`).join(', ');
  throw new HoldfastError(
    'NOT_FOUND',
    `No agent has the name or id "${missing}". There are: ${names || 'none'}.`,
  );
}

function printPulled(terminal: Terminal, pulled: PulledAgent[]): void {
  for (const { kind, file, name, note } of pulled) {
    if (kind === 'same') continue;
    terminal.line(
      `${kind === 'kept' ? '! ' : ''}${file}: ${name} ${note === undefined ? kind : toNoted(kind, note)}`,
    );
  }
  const same = pulled.filter(({ kind }) => kind === 'same').length;
  if (same > 0) terminal.line(`The same as in the workspace: ${countAgents(same)}.`);
  if (pulled.length === 0) terminal.line('The workspace has no agents.');
}

function toNoted(kind: PulledAgent['kind'], note: string): string {
  return kind === 'kept' ? note : `${kind}; ${note}`;
}
