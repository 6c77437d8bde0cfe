import { z } from 'zod';
import { createAgentRepository } from '../../db/agents/agent-repository.ts';
import { createToolPinRepository } from '../../db/agents/tool-pin-repository.ts';
import { agentSchema } from '../../domain/agent.ts';
import { innerToolSchema, toolStateSchema } from '../../domain/discovered-tool.ts';
import { toolInputSchema, toolSchema, toolSettingsSchema } from '../../domain/tool.ts';
import { acceptInnerTool, acceptTool } from '../../agents/accept-tool.ts';
import { addTools, changeToolSettings, getTool, removeTool } from '../../agents/configure-agent.ts';
import { checkTools } from '../../agents/check-agent.ts';
import { prepareTools } from '../../agents/prepare-tools.ts';
import { route } from '../server/route.ts';
import { idParams } from '../server/schemas.ts';
import { toInnerTools, toToolState } from '../../agents/tool-state.ts';

const tag = 'agent tools';
const toolParams = idParams.extend({ toolId: z.uuid() });
const toolAnswer = z.object({ tool: toolSchema, agent: agentSchema });
const stateAnswer = z.object({ tool: toolSchema, state: toolStateSchema });
const oneToolAnswer = stateAnswer.extend({
  inner: z.array(innerToolSchema).optional().describe('Of a gateway, the tools that were called through it'),
});

const addTool = route({
  method: 'POST',
  path: '/api/agents/:id/tools',
  operationId: 'addAgentTool',
  summary: 'Give an agent a tool, which makes a new version',
  description:
    'An MCP tool is pinned to what its server says of it now: when the server changes that, the tool is quarantined ' +
    'until the change is accepted. Without `settings.effect` the hints of the server say whether a call may be repeated.',
  tag,
  scope: 'agents:write',
  params: idParams,
  body: toolInputSchema,
  answers: { 201: toolAnswer },
  errors: ['CONFLICT', 'CONNECTION_ACCESS_DENIED', 'CONNECTION_NOT_ACTIVE'],
  handler: async ({ params, body, principal, dependencies, inWorkspace }) => {
    const [tools, toPrefix] = [[body], () => ''];
    checkTools(dependencies, tools, toPrefix);
    const { workspaceId } = principal;
    const prepared = await prepareTools({ dependencies, workspaceId, inWorkspace, tools, toPrefix });
    const added = await inWorkspace((trx) => addTools(trx, params.id, prepared));
    return { status: 201, data: { agent: added.agent, tool: added.tools[0] ?? getTool(added.agent, '') } };
  },
});

const addToolBatch = route({
  method: 'POST',
  path: '/api/agents/:id/tools/batch',
  operationId: 'addAgentTools',
  summary: 'Give an agent several tools in one new version, all or none',
  tag,
  scope: 'agents:write',
  params: idParams,
  body: z.strictObject({ tools: z.array(toolInputSchema).min(1).max(1000) }),
  answers: { 201: z.object({ tools: z.array(toolSchema), agent: agentSchema }) },
  errors: ['CONFLICT', 'CONNECTION_ACCESS_DENIED', 'CONNECTION_NOT_ACTIVE'],
  handler: async ({ params, body: { tools }, principal, dependencies, inWorkspace }) => {
    checkTools(dependencies, tools);
    const { workspaceId } = principal;
    const prepared = await prepareTools({ dependencies, workspaceId, inWorkspace, tools });
    return { status: 201, data: await inWorkspace((trx) => addTools(trx, params.id, prepared)) };
  },
});

const listTools = route({
  method: 'GET',
  path: '/api/agents/:id/tools',
  operationId: 'listAgentTools',
  summary: 'List the tools of an agent, each with its state',
  tag,
  scope: 'agents:read',
  params: idParams,
  answers: { 200: z.object({ tools: z.array(stateAnswer) }) },
  handler: async ({ params, inWorkspace }) => {
    const tools = await inWorkspace(async (trx) => {
      const agent = await createAgentRepository(trx).getAgent(params.id);
      const pins = await createToolPinRepository(trx).listPins(params.id);
      return agent.tools.map((tool) => ({ tool, state: toToolState(tool, pins.get(tool.id)) }));
    });
    return { status: 200, data: { tools } };
  },
});

const getOneTool = route({
  method: 'GET',
  path: '/api/agents/:id/tools/:toolId',
  operationId: 'getAgentTool',
  summary: 'Get a tool of an agent, and how its server has changed it',
  tag,
  scope: 'agents:read',
  params: toolParams,
  answers: { 200: oneToolAnswer },
  handler: async ({ params, inWorkspace }) => {
    const data = await inWorkspace(async (trx) => {
      const tool = getTool(await createAgentRepository(trx).getAgent(params.id), params.toolId);
      const pins = createToolPinRepository(trx);
      const state = toToolState(tool, await pins.findPin(params.id, tool.id));
      if (tool.config.gateway !== true) return { tool, state };
      return { tool, state, inner: toInnerTools(await pins.listInnerPins(params.id, tool.id)) };
    });
    return { status: 200, data };
  },
});

const removeOneTool = route({
  method: 'DELETE',
  path: '/api/agents/:id/tools/:toolId',
  operationId: 'removeAgentTool',
  summary: 'Take a tool away from an agent, which makes a new version',
  tag,
  scope: 'agents:write',
  params: toolParams,
  answers: { 200: z.object({ deleted: z.literal(true), agent: agentSchema }) },
  handler: async ({ params, inWorkspace }) => {
    const agent = await inWorkspace((trx) => removeTool(trx, params.id, params.toolId));
    return { status: 200, data: { deleted: true, agent } };
  },
});

const { timeoutMs, effect, enabled } = toolSettingsSchema.shape;

const settingsChangeSchema = z
  .strictObject({
    timeoutMs: timeoutMs.unwrap().nullable().optional(),
    effect: effect.unwrap().nullable().optional(),
    idempotent: z.boolean().optional().describe('Short for `effect` "idempotent", or "unsafe"'),
    enabled: enabled.unwrap().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'expected at least one field')
  .refine((change) => change.effect === undefined || change.idempotent === undefined, {
    path: ['idempotent'],
    message: 'expected either "effect" or "idempotent", found both',
  });

const changeTool = route({
  method: 'PATCH',
  path: '/api/agents/:id/tools/:toolId',
  operationId: 'changeAgentTool',
  summary: 'Change the operator’s settings of a tool, which makes a new version',
  description:
    '`effect` decides whether a call that was cut off may run again. What is named is replaced; null goes back to the default.',
  tag,
  scope: 'agents:write',
  params: toolParams,
  body: settingsChangeSchema,
  answers: { 200: toolAnswer },
  handler: async ({ params, body, inWorkspace }) => {
    const change = { agentId: params.id, toolId: params.toolId, change: body };
    return { status: 200, data: await inWorkspace((trx) => changeToolSettings(trx, change)) };
  },
});

const acceptanceSchema = z.strictObject({
  hash: z.string().max(100).optional(),
  target: z.string().max(1000).optional().describe('`server:tool`, of a tool behind the gateway'),
});

const acceptOneTool = route({
  method: 'POST',
  path: '/api/agents/:id/tools/:toolId/accept',
  operationId: 'acceptAgentTool',
  summary: 'Accept what a quarantined tool has become',
  description:
    'The tool gets its new description and schema in a new version of the agent. With `hash`, only that definition is ' +
    'accepted. With `target` it is the tool behind the gateway that is accepted, and the agent stays as it is.',
  tag,
  scope: 'agents:write',
  params: toolParams,
  body: acceptanceSchema.nullish(),
  answers: { 200: toolAnswer },
  errors: ['CONFLICT'],
  handler: async ({ params, body, dependencies: { checkTool }, inWorkspace }) => {
    const { hash, target } = body ?? {};
    const acceptance = { agentId: params.id, toolId: params.toolId, hash };
    const data = await inWorkspace((trx) =>
      target === undefined
        ? acceptTool(trx, { ...acceptance, checkTool })
        : acceptInnerTool(trx, { ...acceptance, target }),
    );
    return { status: 200, data };
  },
});

/** What can be done with the tools of an agent. */
export const agentToolRoutes = [
  addTool,
  addToolBatch,
  listTools,
  getOneTool,
  removeOneTool,
  changeTool,
  acceptOneTool,
];
