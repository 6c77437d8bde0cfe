import { HoldfastApiError, type Agent, type HoldfastClient, type NewAgent } from '../client/index.ts';
import type { JsonObject } from '../../domain/json.ts';
import { keepForLater } from '../../domain/rules.ts';
import type { Directory, Named } from './directory.ts';
import type { PushPlan, PushStep } from './plan-push.ts';
import { toSkillImport } from './local-skills.ts';
import type { PortableAgent, PortableSkill, PortableTool } from './portable.ts';
import { resolveConfig, resolveModels, type References } from './references.ts';
import { isOfConnector, type StoredTool } from './to-portable.ts';

interface PushTarget {
  client: HoldfastClient;
  directory: Directory;
  project: string;
  /** Called after each step, with the agent as it is now. */
  onDone: (step: PushStep, agent: Agent | null) => void;
}

/**
 * Does the steps of a plan one after the other. The first one that is refused ends the push; those before it stay done. An
 * agent that is made before one that it asks, which only agents in a circle are, gets that tool at the end.
 * @throws HoldfastApiError `CONFLICT` when an agent was changed after it was compared
 */
export async function applyPush({ steps }: PushPlan, target: PushTarget): Promise<void> {
  const inCode = new Set(steps.map(({ name }) => name));
  const others = target.directory.agents.filter(({ name }) => !inCode.has(name));
  const known = steps.flatMap((step) => ('agent' in step ? [step.agent] : []));
  const agents: Named[] = [...others, ...known];
  const stepTarget = { ...target, agents, isLater: isLaterTool(inCode, agents) };
  const unfinished: { step: CreateStep; agent: Agent }[] = [];
  const apply = async (step: PushStep, work: () => Promise<Agent | null>) =>
    await work().catch((error: unknown) => {
      throw toStepError(error, step);
    });
  for (const step of steps) {
    const isWhole = step.kind !== 'create' || !step.wanted.tools.some(stepTarget.isLater);
    const agent = await apply(step, () => applyStep(step, stepTarget));
    if (step.kind === 'create' && agent) agents.push(agent);
    if (step.kind === 'create' && agent && !isWhole) unfinished.push({ step, agent });
    else target.onDone(step, agent);
  }
  for (const { step, agent } of unfinished) {
    target.onDone(step, await apply(step, () => addLaterTools(step, agent, stepTarget)));
  }
}

type CreateStep = Extract<PushStep, { kind: 'create' }>;

/** Returns whether a tool asks an agent of the code that is not made yet. */
function isLaterTool(inCode: ReadonlySet<string>, agents: Named[]): StepTarget['isLater'] {
  return ({ config: { agent } }) =>
    agent !== undefined && inCode.has(agent) && !agents.some(({ name }) => name === agent);
}

async function addLaterTools(
  { wanted }: CreateStep,
  { id, version }: Agent,
  target: StepTarget,
): Promise<Agent> {
  const { tools, rules } = await toNewAgent(wanted, target, []);
  return await target.client.agents.update(id, { tools, rules, version });
}

type StepTarget = PushTarget & References & { isLater: (tool: PortableTool) => boolean };

async function applyStep(
  step: PushStep,
  { client, project, isLater, ...target }: StepTarget,
): Promise<Agent | null> {
  if (step.kind === 'same') return step.agent;
  if (step.kind === 'create') {
    const tools = step.wanted.tools.filter((tool) => !isLater(tool));
    const isWhole = tools.length === step.wanted.tools.length;
    const rules = isWhole ? step.wanted.rules : keepForLater(step.wanted.rules);
    const first = { ...step.wanted, tools, rules };
    const { name, model, instructions, ...wanted } = await toNewAgent(first, target, []);
    const skills = await importSkills(client, step.wanted.skills);
    return await client.agents.create({ name, model, instructions, ...wanted, skills, project });
  }
  const { id, version } = step.agent;
  if (step.kind === 'delete') {
    await client.agents.delete(id, { version });
    return null;
  }
  const input = await toNewAgent(step.wanted, target, step.agent.tools.filter(isOfConnector));
  const changed = step.comparison.fields.map((field) =>
    field === 'modelConnection' ? 'modelConnectionId' : field,
  );
  const entries = Object.entries(input).filter(([name]) => (changed as string[]).includes(name));
  const skills = changed.includes('skills') && { skills: await importSkills(client, step.wanted.skills) };
  return await client.agents.update(id, { ...Object.fromEntries(entries), ...skills, version });
}

/** Imports skills, and returns the versions that have their files: those that are there already stay. */
async function importSkills(client: HoldfastClient, skills: PortableSkill[]): Promise<NewAgent['skills']> {
  const pins: NonNullable<NewAgent['skills']> = [];
  for (const skill of skills) {
    const { version } = await client.skills.import(await toSkillImport(skill));
    pins.push({ skillId: version.skillId, version: version.version });
  }
  return pins;
}

/** Returns an agent as the API takes it, without its skills. The tools of connectors stay: code does not manage them. */
export async function toNewAgent(
  wanted: PortableAgent,
  references: References,
  kept: StoredTool[],
): Promise<NewAgent> {
  const { name, model, instructions, execution, limits, rules, toolCallsInText, tools } = wanted;
  const { value: models } = await resolveModels(wanted, references);
  const { modelSettings, compaction, compactionThreshold, summaryModel } = wanted;
  const inputs = await Promise.all(tools.map((tool) => toToolInput(tool, references)));
  const others = kept.map(({ type, name: tool, ...one }) => ({
    ...{ type, name: tool, description: one.description, schema: one.schema, config: one.config },
    ...(one.settings && { settings: one.settings }),
  }));
  return {
    ...{ name, model, instructions, execution, limits, rules, toolCallsInText, modelSettings, ...models },
    ...{ compaction, compactionThreshold, summaryModel },
    tools: [...inputs, ...others],
  } as NewAgent;
}

async function toToolInput(tool: PortableTool, references: References): Promise<JsonObject> {
  const { value: config } = await resolveConfig(tool, references);
  const { settings, ...rest } = tool;
  const input = { ...rest, config, ...(Object.keys(settings).length > 0 && { settings }) };
  return input as unknown as JsonObject;
}

function toStepError(error: unknown, { name }: PushStep): unknown {
  if (!(error instanceof HoldfastApiError)) return error;
  const { code, details } = error;
  const message =
    code === 'CONFLICT'
      ? `Somebody has changed the agent "${name}" since this push compared it. Nothing of that was replaced: push again to see the difference.`
      : `The agent "${name}": ${error.message}`;
  return new HoldfastApiError(code, message, { details });
}
