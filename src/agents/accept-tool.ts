import type { Knex } from 'knex';
import { createAgentRepository } from '../db/agents/agent-repository.ts';
import { createAuditLog } from '../db/audit/audit-log.ts';
import { createToolPinRepository, type ToolPin } from '../db/agents/tool-pin-repository.ts';
import type { Agent } from '../domain/agent.ts';
import type { ToolDefinition } from '../domain/discovered-tool.ts';
import { createInvalidInput, HoldfastError } from '../domain/errors.ts';
import { toStorableJson, toStorableText } from '../domain/storable.ts';
import type { Tool, ToolInput, ToolSettings } from '../domain/tool.ts';
import { toInnerToolId } from '../lib/ids.ts';
import { hintedEffect } from '../tools/tool-definition.ts';
import { getTool } from './configure-agent.ts';
import type { Dependencies } from '../http/server/api-dependencies.ts';

interface Acceptance {
  agentId: string;
  toolId: string;
  /** The hash of the definition that the operator has seen. @default whatever it has drifted to */
  hash?: string | undefined;
  checkTool: Dependencies['checkTool'];
}

/**
 * Makes what a quarantined tool has become its pin, and gives the tool its new description and schema.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` for a tool that is not quarantined, or with another definition;
 * `INVALID_INPUT` for a definition that cannot be used
 */
export async function acceptTool(
  trx: Knex,
  { agentId, toolId, hash, checkTool }: Acceptance,
): Promise<{ agent: Agent; tool: Tool }> {
  const pins = createToolPinRepository(trx);
  const pin = await pins.findPin(agentId, toolId);
  // The agent is locked before its pins, here as everywhere.
  const agent = await createAgentRepository(trx).reviseAgent(agentId, ({ tools }) => {
    const tool = getTool({ id: agentId, tools }, toolId);
    const accepted = toAcceptedTool(tool, pin, hash);
    const errors = checkTool(toInput(accepted));
    if (errors.length > 0) throw createInvalidInput(errors);
    return { tools: tools.map((each) => (each.id === toolId ? accepted : each)) };
  });
  const driftHash = pin?.drift?.hash ?? '';
  if (!(await pins.acceptDrift(agentId, toolId, driftHash))) throw notQuarantined(toolId);
  const tool = getTool(agent, toolId);
  await createAuditLog(trx).record({
    type: 'tool.accepted',
    subjectId: agentId,
    payload: { version: agent.version, tool_id: toolId, tool_name: tool.name, hash: driftHash },
  });
  return { agent, tool };
}

interface InnerAcceptance extends Pick<Acceptance, 'agentId' | 'toolId' | 'hash'> {
  /** `server:tool` */
  target: string;
}

/**
 * Makes what a tool behind a gateway has become its pin. The agent stays as it is: its model asks the gateway what is
 * behind it.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` for a tool that is not quarantined, or with another definition
 */
export async function acceptInnerTool(
  trx: Knex,
  { agentId, toolId, target, hash }: InnerAcceptance,
): Promise<{ agent: Agent; tool: Tool }> {
  const agent = await createAgentRepository(trx).getAgent(agentId);
  const tool = getTool(agent, toolId);
  const pins = createToolPinRepository(trx);
  const pinId = toInnerToolId(toolId, target);
  const { drift } = getDrifted(target, await pins.findPin(agentId, pinId), hash);
  if (!(await pins.acceptDrift(agentId, pinId, drift.hash))) throw notQuarantined(target);
  await createAuditLog(trx).record({
    type: 'tool.accepted',
    subjectId: agentId,
    payload: { tool_id: toolId, tool_name: tool.name, target, hash: drift.hash },
  });
  return { agent, tool };
}

function notQuarantined(tool: string): HoldfastError {
  return new HoldfastError('CONFLICT', `The tool ${tool} is not quarantined: there is nothing to accept.`);
}

interface DriftedPin extends ToolPin {
  drift: NonNullable<ToolPin['drift']>;
}

/** The pin of a quarantined tool, if it has become what the operator has seen. */
function getDrifted(tool: string, pin: ToolPin | null, hash: string | undefined): DriftedPin {
  if (!pin?.drift) throw notQuarantined(tool);
  if (hash === undefined || hash === pin.drift.hash) return { ...pin, drift: pin.drift };
  const message = `The tool ${tool} has become ${pin.drift.hash}, which is not what was to be accepted. Look again.`;
  throw new HoldfastError('CONFLICT', message, { details: { hash: pin.drift.hash } });
}

function toAcceptedTool(tool: Tool, pin: ToolPin | null, hash: string | undefined): Tool {
  const drifted = getDrifted(tool.id, pin, hash);
  const { description, inputSchema } = drifted.drift.definition;
  return {
    ...tool,
    ...toStorableParts({ description, inputSchema }),
    settings: toSettings(tool.settings, drifted, drifted.drift),
  };
}

/** The most of a description that a tool keeps. */
const longestDescription = 4000;

/** What a tool keeps of what its server says: no more of it than is read, and nothing that can not be stored. */
export function toStorableParts({
  description,
  inputSchema,
}: Pick<ToolDefinition, 'description' | 'inputSchema'>): Pick<ToolInput, 'description' | 'schema'> {
  return {
    description: toStorableText(description.slice(0, longestDescription)),
    schema: JSON.parse(toStorableJson(inputSchema)) as ToolInput['schema'],
  };
}

/** An effect that came from the old definition's hints goes with it; what the operator chose stays. */
function toSettings(
  settings: ToolSettings | undefined,
  before: Pick<ToolPin, 'definition'>,
  after: Pick<ToolPin, 'definition'>,
): ToolSettings {
  const { effect, ...rest } = settings ?? {};
  const chosen = effect === hintedEffect(before.definition) ? hintedEffect(after.definition) : effect;
  return chosen === undefined ? rest : { ...rest, effect: chosen };
}

/** A tool as its checks take it. */
export function toInput({ type, name, description, schema, config, settings }: Tool): ToolInput {
  return { type, name, description, schema, config, settings };
}
