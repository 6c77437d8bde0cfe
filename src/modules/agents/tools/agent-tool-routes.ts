import { z } from 'zod';
import { acceptInnerTool } from './accept-inner-tool.ts';
import { acceptTool } from './accept-tool.ts';
import { addTool, addTools } from './add-tools.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { changeToolSettings } from './change-tool-settings.ts';
import { getToolState, listToolStates } from './get-tool-state.ts';
import { removeTool } from './remove-tool.ts';
import { agentSchema } from '../agent-schema.ts';
import { innerToolSchema, toolStateSchema } from '../../../domain/discovered-tool.ts';
import { toolSettingsSchema } from '../../../domain/tool.ts';
import { toolInputSchema, toolSchema } from '../../../engines/tools/tool-schema.ts';
import { routesOf } from '../../../platform/http/route.ts';
import { idParams } from '../../../platform/http/schemas.ts';

const route = routesOf<AgentDependencies>();
const tag = 'agent tools';
const toolParams = idParams.extend({ toolId: z.uuid() });
const toolAnswer = z.object({ tool: toolSchema, agent: agentSchema });
const stateAnswer = z.object({ tool: toolSchema, state: toolStateSchema });
const oneToolAnswer = stateAnswer.extend({
  inner: z
    .array(innerToolSchema)
    .optional()
    .describe('The tools that were called through this tool, when it is a gateway'),
});

const addOne = route({
  method: 'POST',
  path: '/api/agents/:id/tools',
  operationId: 'addAgentTool',
  clientName: 'agents.tools.add',
  summary: 'Add a tool to an agent',
  description:
    'Makes a new version. An MCP tool is pinned to its server’s present definition: when the server changes the ' +
    'definition, the tool is quarantined until the change is accepted. Without `settings.effect` the hints of the server ' +
    'decide whether a call may be repeated.',
  tag,
  right: 'agents.write',
  params: idParams,
  body: toolInputSchema,
  answers: { 201: toolAnswer },
  errors: ['CONFLICT', 'CONNECTION_ACCESS_DENIED', 'CONNECTION_NOT_ACTIVE'],
  handler: async ({ params, body: tool, actor, dependencies }) => {
    const data = await addTool(dependencies, actor, { agentId: params.id, tool });
    return { status: 201, data };
  },
});

const addSeveral = route({
  method: 'POST',
  path: '/api/agents/:id/tools/batch',
  operationId: 'addAgentTools',
  clientName: 'agents.tools.addAll',
  summary: 'Add several tools to an agent',
  description: 'Makes one new version with all of the tools, or none when one of them cannot be added.',
  tag,
  right: 'agents.write',
  params: idParams,
  body: z.strictObject({ tools: z.array(toolInputSchema).min(1).max(1000) }),
  answers: { 201: z.object({ tools: z.array(toolSchema), agent: agentSchema }) },
  errors: ['CONFLICT', 'CONNECTION_ACCESS_DENIED', 'CONNECTION_NOT_ACTIVE'],
  handler: async ({ params, body: { tools }, actor, dependencies }) => {
    const data = await addTools(dependencies, actor, { agentId: params.id, tools });
    return { status: 201, data };
  },
});

const listTools = route({
  method: 'GET',
  path: '/api/agents/:id/tools',
  operationId: 'listAgentTools',
  summary: 'List the tools of an agent with their states',
  tag,
  right: 'agents.read',
  params: idParams,
  answers: { 200: z.object({ tools: z.array(stateAnswer) }) },
  handler: async ({ params, actor, dependencies }) => {
    const tools = await listToolStates(dependencies, actor, { agentId: params.id });
    return { status: 200, data: { tools } };
  },
});

const getOneTool = route({
  method: 'GET',
  path: '/api/agents/:id/tools/:toolId',
  operationId: 'getAgentTool',
  summary: 'Get a tool of an agent with its state',
  description: '`state.drift` shows how the server has changed the definition of a quarantined tool.',
  tag,
  right: 'agents.read',
  params: toolParams,
  answers: { 200: oneToolAnswer },
  handler: async ({ params: { id: agentId, toolId }, actor, dependencies }) => {
    return { status: 200, data: await getToolState(dependencies, actor, { agentId, toolId }) };
  },
});

const removeOneTool = route({
  method: 'DELETE',
  path: '/api/agents/:id/tools/:toolId',
  operationId: 'removeAgentTool',
  clientName: 'agents.tools.remove',
  summary: 'Remove a tool from an agent',
  description: 'Makes a new version.',
  tag,
  right: 'agents.write',
  params: toolParams,
  answers: { 200: z.object({ deleted: z.literal(true), agent: agentSchema }) },
  handler: async ({ params: { id: agentId, toolId }, actor, dependencies }) => {
    const agent = await removeTool(dependencies, actor, { agentId, toolId });
    return { status: 200, data: { deleted: true, agent } };
  },
});

const { timeoutMs, settleAfterMs, effect, enabled, approval, approvalWhen, approvers, selfApproval } =
  toolSettingsSchema.shape;

const settingsChangeSchema = z
  .strictObject({
    timeoutMs: timeoutMs.unwrap().nullable().optional(),
    settleAfterMs: settleAfterMs.unwrap().nullable().optional(),
    effect: effect.unwrap().nullable().optional(),
    idempotent: z.boolean().optional().describe('True sets `effect` to "idempotent", false to "unsafe"'),
    enabled: enabled.unwrap().optional(),
    approval: approval.unwrap().nullable().optional(),
    approvalWhen: approvalWhen.unwrap().nullable().optional(),
    approvers: approvers.unwrap().nullable().optional(),
    selfApproval: selfApproval.unwrap().nullable().optional(),
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
  summary: 'Update the settings of a tool',
  description:
    'Makes a new version. `effect` decides whether an interrupted call may run again. Each setting in the body is ' +
    'replaced; null resets a setting to its default.',
  tag,
  right: 'agents.write',
  params: toolParams,
  body: settingsChangeSchema,
  answers: { 200: toolAnswer },
  handler: async ({ params: { id: agentId, toolId }, body: change, actor, dependencies }) => {
    const data = await changeToolSettings(dependencies, actor, { agentId, toolId, change });
    return { status: 200, data };
  },
});

const acceptanceSchema = z.strictObject({
  hash: z.string().max(100).optional(),
  target: z.string().max(1000).optional().describe('The name `server:tool` of a tool behind the gateway'),
});

const acceptOneTool = route({
  method: 'POST',
  path: '/api/agents/:id/tools/:toolId/accept',
  operationId: 'acceptAgentTool',
  summary: 'Accept a tool’s changed definition',
  description:
    'Ends the quarantine of the tool and gives it its new description and schema in a new version of the agent. With ' +
    '`hash`, only the definition with this hash is accepted. With `target`, the definition of that tool behind the gateway ' +
    'is accepted, and the agent gets no new version.',
  tag,
  right: 'agents.write',
  params: toolParams,
  body: acceptanceSchema.nullish(),
  answers: { 200: toolAnswer },
  errors: ['CONFLICT'],
  handler: async ({ params: { id: agentId, toolId }, body, actor, dependencies }) => {
    const { hash, target } = body ?? {};
    const accepted = { agentId, toolId, hash };
    const data =
      target === undefined
        ? await acceptTool(dependencies, actor, accepted)
        : await acceptInnerTool(dependencies, actor, { ...accepted, target });
    return { status: 200, data };
  },
});

/** The endpoints for the tools of an agent. */
export const agentToolRoutes = [
  addOne,
  addSeveral,
  listTools,
  getOneTool,
  removeOneTool,
  changeTool,
  acceptOneTool,
];
