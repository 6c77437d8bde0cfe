import type { Agent } from '../client/index.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { compareAgents, type Comparison } from './compare-agents.ts';
import { completeAgent } from './complete-agent.ts';
import { findDefinitionErrors, type AgentDefinition } from './define-agent.ts';
import type { Directory } from './directory.ts';
import type { LoadedAgent } from './load-agents.ts';
import type { PortableAgent } from './portable.ts';
import { findWrongReferences, type References } from './references.ts';
import { toPortable } from './to-portable.ts';

/** The change that a push makes to one agent. */
export type PushStep =
  | { kind: 'create'; name: string; source: string; wanted: PortableAgent }
  | {
      kind: 'update';
      name: string;
      source: string;
      wanted: PortableAgent;
      agent: Agent;
      comparison: Comparison;
    }
  | { kind: 'same'; name: string; source: string; agent: Agent }
  | { kind: 'delete'; name: string; agent: Agent };

/** The steps of a push, in their order. */
export interface PushPlan {
  steps: PushStep[];
  /** The names of agents that earlier pushes of the project have made, and that the code no longer has. */
  leftOver: string[];
  warnings: string[];
}

type AgentToPush = Omit<LoadedAgent, 'skillFolder'>;

interface PushRequest {
  loaded: AgentToPush[];
  directory: Directory;
  /** The project that agents are made for. */
  project: string;
  /** Whether agents are deleted that earlier pushes of the project have made, and that the code no longer has. */
  prune: boolean;
}

/**
 * Compares the agents of the code with those of the workspace.
 * @throws HoldfastError `INVALID_INPUT` with everything that is wrong
 */
export async function planPush({ loaded, directory, project, prune }: PushRequest): Promise<PushPlan> {
  const ordered = orderAgents(loaded, (name) => !directory.agents.some((agent) => agent.name === name));
  const inCode = new Set(loaded.map(({ definition }) => definition.name));
  const leftOver = directory.agents.filter((agent) => agent.project === project && !inCode.has(agent.name));
  const kept = prune ? directory.agents.filter((agent) => !leftOver.includes(agent)) : directory.agents;
  const references = { directory, agents: toReferable(kept, inCode) };
  const planned = await Promise.all(ordered.map((one) => planAgent(one, { references, project })));
  const problems = planned.flatMap((one) => one.problems);
  if (problems.length > 0) throw new HoldfastError('INVALID_INPUT', problems.join('\n'));
  const deletions = leftOver.map((agent) => ({ kind: 'delete' as const, name: agent.name, agent }));
  const others = kept.filter(({ name }) => !inCode.has(name));
  return {
    steps: [...planned.flatMap(({ step }) => step ?? []), ...(prune ? deletions : [])],
    leftOver: prune ? [] : leftOver.map(({ name }) => name),
    warnings: [
      ...new Set([
        ...planned.flatMap(({ warnings }) => warnings),
        ...(await findLostFunctions(others, directory)),
      ]),
    ],
  };
}

/** An agent of the code is referred to before it exists. */
function toReferable(agents: Agent[], inCode: ReadonlySet<string>) {
  const others = agents.filter(({ name }) => !inCode.has(name));
  return [...others, ...[...inCode].map((name) => ({ id: '', name }))];
}

interface Planned {
  step: PushStep | null;
  problems: string[];
  warnings: string[];
}

async function planAgent(
  { definition, source, skills }: AgentToPush,
  { references, project }: { references: References; project: string },
): Promise<Planned> {
  const { directory } = references;
  const { name } = definition;
  const toProblem = (problem: string) => `${source}: the agent "${name}": ${problem}`;
  const found = findStored(directory.agents, name, project);
  if ('problem' in found) return { step: null, problems: [toProblem(found.problem)], warnings: [] };
  const { agent } = found;
  const stored = agent && (await toPortable(agent, directory));
  const { wanted: own, problems, warnings } = await completeAgent(definition, stored, directory);
  const wanted = { ...own, skills };
  const invalid = findDefinitionErrors(definition).map(({ field, message }) => `${field}: ${message}`);
  const all = [...invalid, ...problems, ...(await findWrongReferences(wanted, references))].map(toProblem);
  if (all.length > 0) return { step: null, problems: all, warnings };
  if (!agent || !stored) return { step: { kind: 'create', name, source, wanted }, problems: [], warnings };
  const comparison = compareAgents(stored, wanted);
  const step: PushStep =
    comparison.fields.length === 0
      ? { kind: 'same', name, source, agent }
      : { kind: 'update', name, source, wanted, agent, comparison };
  return { step, problems: [], warnings };
}

/** Finds the agent with a name; of several, the one that the project has made. */
function findStored(agents: Agent[], name: string, project: string) {
  const named = agents.filter((agent) => agent.name === name);
  const made = named.filter((agent) => agent.project === project);
  const [agent] = made.length === 1 ? made : named;
  if (named.length < 2 || made.length === 1) return { agent };
  const ids = named.map(({ id }) => id).join(', ');
  return { problem: `the workspace has ${named.length} agents of this name. Rename all but one: ${ids}.` };
}

/** Returns a sentence for each function that agents of the workspace use, and that the server does not have. */
async function findLostFunctions(agents: Agent[], directory: Directory): Promise<string[]> {
  const used = agents.flatMap(({ name, tools }) =>
    tools.flatMap((tool) => {
      if (tool.type !== 'function' || tool.config.runs === 'client') return [];
      return [{ agent: name, used: tool.config.functionName ?? tool.name }];
    }),
  );
  if (used.length === 0) return [];
  const known = new Set(
    (await directory.functions()).flatMap(({ name, aliases = [] }) => [name, ...aliases]),
  );
  return used
    .filter((one) => !known.has(one.used))
    .map(
      ({ agent, used: name }) =>
        `The agent "${agent}" of the workspace uses the function "${name}", which the server does not have any more. Its calls fail.`,
    );
}

/**
 * Orders agents so that a new one comes before those whose tools ask it, as far as that can be: of agents that ask each other in
 * a circle, one comes before one that it asks.
 */
function orderAgents<Item extends { definition: AgentDefinition }>(
  items: Item[],
  isNew: (name: string) => boolean,
): Item[] {
  const newOnes = new Map(
    items.flatMap((item) => (isNew(item.definition.name) ? [[item.definition.name, item] as const] : [])),
  );
  const begun = new Set<Item>();
  const ordered: Item[] = [];
  const visit = (item: Item) => {
    if (begun.has(item)) return;
    begun.add(item);
    for (const asked of listAsked(item.definition)) {
      const next = newOnes.get(asked);
      if (next) visit(next);
    }
    ordered.push(item);
  };
  items.forEach(visit);
  return ordered;
}

/** The names of the agents that the tools of an agent ask. */
function listAsked({ tools }: AgentDefinition): string[] {
  return tools.flatMap(({ config }) => config.agent ?? []);
}
