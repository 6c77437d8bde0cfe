import { z } from 'zod';
import {
  agentFields,
  askedExecutionSchema,
  executionModes,
  limitsInputSchema,
} from '../../../domain/agent.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { createAgentStore } from '../stores/agent-store.ts';
import { nonBlank, schemaHints, toChangeSchema, type ResourceKind } from '../resource-kind.ts';

const changeable = {
  name: nonBlank(200),
  model: nonBlank(200).describe('The model, such as openai/gpt-5.4-mini'),
  instructions: z.string().max(100_000),
  limits: limitsInputSchema.default({}),
  execution: agentFields.execution,
};

schemaHints.add(askedExecutionSchema, { enum: executionModes });

/** By name alone, so that an agent cannot give a tool that it does not have. */
const tools = z
  .array(z.string().min(1).max(100))
  .max(100)
  .default([])
  .describe('Names of tools of the agent that makes it; the new agent gets copies of them');

/** Agents: a view of `/api/agents`. The rules and the model connection of an agent are set there only. */
export const agent: ResourceKind = {
  kind: 'agent',
  description: 'An agent with its model, instructions and tools.',
  attributes: z.strictObject({ ...changeable, tools }) as unknown as z.ZodType<JsonObject>,
  change: toChangeSchema(changeable),
  filters: z.strictObject({
    model: z.string().max(200).optional().describe('Only agents with this model'),
  }) as unknown as z.ZodType<JsonObject>,
  textOf: ({ instructions }) => z.string().parse(instructions),
  rights: { read: 'agents.read', write: 'agents.write' },
  createStore: createAgentStore,
};
