import type { Knex } from 'knex';
import { createAgentRepository } from '../db/agents/agent-repository.ts';
import { createAuditLog } from '../db/audit/audit-log.ts';
import { createToolPinRepository, type PinnedTool } from '../db/agents/tool-pin-repository.ts';
import type { Agent, AgentChange, AgentDraft } from '../domain/agent.ts';
import type { ToolDefinition } from '../domain/discovered-tool.ts';
import { createInvalidInput, HoldfastError } from '../domain/errors.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Tool, ToolEffect, ToolSettings } from '../domain/tool.ts';
import { newId } from '../lib/ids.ts';
import { hashDefinition } from '../tools/tool-definition.ts';
import type { PreparedTool } from './prepare-tools.ts';

const mostTools = 1000;

/** Writes to the audit log that a version of an agent was made, and what is different in it. */
export async function recordConfigured(trx: Knex, agent: Agent, change: JsonObject): Promise<void> {
  await createAuditLog(trx).record({
    type: 'agent.configured',
    subjectId: agent.id,
    payload: { version: agent.version, ...change },
  });
}

/** Writes to the audit log that a connector was attached to an agent, or detached from it. */
export async function recordConnector(trx: Knex, agentId: string, change: JsonObject): Promise<void> {
  await createAuditLog(trx).record({ type: 'agent.configured', subjectId: agentId, payload: change });
}

/** Makes an agent and pins its tools. */
export async function createConfiguredAgent(
  trx: Knex,
  input: AgentDraft,
  prepared: PreparedTool[],
): Promise<Agent> {
  const tools = prepared.map(({ input: tool }) => tool);
  const agent = await createAgentRepository(trx).createAgent({ ...input, tools });
  await syncPins(trx, { agent, before: [], prepared });
  await recordConfigured(trx, agent, { created: true, tools_added: tools.map(({ name }) => name) });
  return agent;
}

/** A change of an agent; its tools, if they change, ready to be given to it. */
type PreparedChange = AgentChange & { prepared: PreparedTool[] | undefined };

/** @throws HoldfastError `NOT_FOUND` */
export async function updateConfiguredAgent(
  trx: Knex,
  id: string,
  { prepared, ...change }: PreparedChange,
): Promise<Agent> {
  let before: Tool[] = [];
  const agent = await createAgentRepository(trx).reviseAgent(id, ({ tools }) => {
    before = tools;
    return { ...change, tools: prepared?.map(({ input }) => input) };
  });
  if (prepared) await syncPins(trx, { agent, before, prepared });
  await recordConfigured(trx, agent, { changed: Object.keys(change) });
  return agent;
}

/** @throws HoldfastError `NOT_FOUND` */
export async function deleteConfiguredAgent(trx: Knex, id: string): Promise<void> {
  await createAgentRepository(trx).deleteAgent(id);
  await createAuditLog(trx).record({ type: 'agent.configured', subjectId: id, payload: { deleted: true } });
}

/** @throws HoldfastError `NOT_FOUND` */
export function getTool({ id, tools }: { id: string; tools: Tool[] }, toolId: string): Tool {
  const tool = tools.find((each) => each.id === toolId);
  if (tool) return tool;
  throw new HoldfastError('NOT_FOUND', `The agent ${id} has no tool ${toolId}.`);
}

/**
 * Gives an agent more tools: all of them in one version, or none.
 * @throws HoldfastError `NOT_FOUND`, `CONFLICT` for a name that is taken, `INVALID_INPUT` for too many tools
 */
export async function addTools(
  trx: Knex,
  agentId: string,
  prepared: PreparedTool[],
): Promise<{ agent: Agent; tools: Tool[] }> {
  const tools = prepared.map(({ input }) => ({ ...input, id: newId() }));
  const agent = await createAgentRepository(trx).reviseAgent(agentId, ({ tools: present }) => {
    const taken = new Set(present.map(({ name }) => name));
    const again = tools.map(({ name }) => name).filter((name) => taken.has(name));
    if (again.length > 0) throw toNameTaken(again);
    checkToolCount(present.length + tools.length);
    return { tools: [...present, ...tools] };
  });
  await syncPins(trx, { agent, before: [], prepared });
  await recordConfigured(trx, agent, { tools_added: tools.map(({ name }) => name) });
  return { agent, tools };
}

/** @throws HoldfastError `INVALID_INPUT` for more tools than an agent can have */
export function checkToolCount(count: number): void {
  if (count <= mostTools) return;
  const message = `expected at most ${mostTools} tools for an agent, found ${count}`;
  throw createInvalidInput([{ field: 'tools', message }]);
}

/** What is said of names that an agent has given to other tools. */
export function toNameTaken(names: string[]): HoldfastError {
  const shown = names.slice(0, 10).map((name) => `"${name}"`);
  const message = `The agent already has a tool named ${shown.join(', ')}.`;
  return new HoldfastError('CONFLICT', message, { details: { names: names.slice(0, 100) } });
}

interface PinChange {
  agent: Agent;
  /** The tools that the agent had. */
  before: Tool[];
  prepared: PreparedTool[];
}

/** Pins the tools that an agent has got, and forgets the pins of those that it has no longer or that lead elsewhere. */
export async function syncPins(trx: Knex, { agent, before, prepared }: PinChange): Promise<void> {
  const pins = createToolPinRepository(trx);
  const kept = new Set(agent.tools.map(({ id }) => id));
  const ids = new Map(agent.tools.map(({ name, id }) => [name, id]));
  const fresh = prepared
    .filter(({ isNew }) => isNew)
    .map((tool) => ({ ...tool, id: ids.get(tool.input.name) }));
  const stale = before.map(({ id }) => id).filter((id) => !kept.has(id));
  const unasked = fresh.flatMap(({ id, definition }) => (id && !definition ? [id] : []));
  await pins.forgetTools(agent.id, stale);
  await pins.removePins(agent.id, unasked);
  await pins.pin(
    fresh.flatMap(({ id, definition }) => (id && definition ? [toPinned(agent, id, definition)] : [])),
  );
}

function toPinned({ id: agentId }: Agent, toolId: string, definition: ToolDefinition): PinnedTool {
  return { agentId, toolId, hash: hashDefinition(definition), definition };
}

/** @throws HoldfastError `NOT_FOUND` */
export async function removeTool(trx: Knex, agentId: string, toolId: string): Promise<Agent> {
  let name = '';
  const agent = await createAgentRepository(trx).reviseAgent(agentId, ({ tools }) => {
    ({ name } = getTool({ id: agentId, tools }, toolId));
    return { tools: tools.filter(({ id }) => id !== toolId) };
  });
  await createToolPinRepository(trx).forgetTools(agentId, [toolId]);
  await recordConfigured(trx, agent, { tools_removed: [name] });
  return agent;
}

/** A change of the operator's settings; null takes one away, so that its default counts again. */
export interface ToolSettingsChange {
  timeoutMs?: number | null | undefined;
  effect?: ToolEffect | null | undefined;
  /** Short for an effect of `idempotent`, or `unsafe`. */
  idempotent?: boolean | undefined;
  enabled?: boolean | undefined;
}

interface SettingsOfTool {
  agentId: string;
  toolId: string;
  change: ToolSettingsChange;
}

/** @throws HoldfastError `NOT_FOUND` */
export async function changeToolSettings(
  trx: Knex,
  { agentId, toolId, change }: SettingsOfTool,
): Promise<{ agent: Agent; tool: Tool }> {
  const agent = await createAgentRepository(trx).reviseAgent(agentId, ({ tools }) => {
    const tool = getTool({ id: agentId, tools }, toolId);
    const changed = { ...tool, settings: toSettings(tool.settings, change) };
    return { tools: tools.map((each) => (each.id === toolId ? changed : each)) };
  });
  const tool = getTool(agent, toolId);
  await recordConfigured(trx, agent, { tool_name: tool.name, settings: { ...tool.settings } as JsonObject });
  return { agent, tool };
}

function toSettings(settings: ToolSettings | undefined, change: ToolSettingsChange): ToolSettings {
  const { idempotent, ...rest } = change;
  const effect = idempotent === undefined ? {} : { effect: idempotent ? 'idempotent' : 'unsafe' };
  const changed = { ...settings, ...rest, ...effect };
  return Object.fromEntries(
    Object.entries(changed).filter(([, value]) => value !== undefined && value !== null),
  );
}
