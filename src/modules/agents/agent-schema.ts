import { z } from 'zod';
import { agentChangeFields, agentFields, agentVersionFields } from '../../domain/agent.ts';
import { toolSchemas, type ToolSchemas } from '../../engines/tools/tool-schema.ts';

/** The number of the version that a caller has seen. */
export const seenVersionSchema = z
  .int()
  .min(1)
  .max(2_147_483_647)
  .optional()
  .describe('The present version. The request is refused with 409 when the agent has another one');

/** Creates the schemas of agents from those of their tools. */
export function createAgentSchemas({
  toolInputSchema,
  toolSchema,
}: Pick<ToolSchemas, 'toolInputSchema' | 'toolSchema'>) {
  const toolInputsSchema = z.array(toolInputSchema).max(1000);

  /** An agent as a caller gives it. */
  const agentInputSchema = z.strictObject({ ...agentFields, tools: toolInputsSchema.default([]) });

  /** The body of a request that creates an agent. */
  const newAgentSchema = agentInputSchema.extend({
    project: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'The project whose code defines the agent. Its name must be unique then: an agent with the same name is answered with 409',
      ),
  });

  /** A change of an agent: what is named is replaced, the rest stays; makes a new version. */
  const agentChangeSchema = z.strictObject({ ...agentChangeFields, tools: toolInputsSchema.optional() });

  /** One numbered, immutable version of an agent. */
  const agentVersionSchema = z.object({ ...agentVersionFields, tools: z.array(toolSchema) });

  /** An agent with what its newest version says. */
  const agentSchema = agentVersionSchema.omit({ agentId: true, madeBy: true }).extend({
    versionId: z.string(),
    project: z
      .string()
      .nullable()
      .describe(
        'The project whose `holdfast push` made the agent; null for an agent that was made otherwise',
      ),
    updatedAt: z.string(),
    warnings: z
      .array(z.object({ field: z.string(), message: z.string() }))
      .optional()
      .describe(
        'Valid fields with which turns would fail now, such as a model without a key. Answers to requests that read an ' +
          'agent tell of its models only',
      ),
  });

  return { agentInputSchema, newAgentSchema, agentChangeSchema, agentVersionSchema, agentSchema };
}

/** The schemas of agents with tools of all types. */
export const { agentInputSchema, newAgentSchema, agentChangeSchema, agentVersionSchema, agentSchema } =
  createAgentSchemas(toolSchemas);
