import { z } from 'zod';
import { agentSchema, agentVersionSchema } from './agent-schema.ts';
import { toolTypeSchema } from '../../domain/tool.ts';
import { toolSchemas, type ToolSchemas } from '../../engines/tools/tool-schema.ts';

/** The name of a type of tool in the OpenAPI document: `KnowledgeBaseTool` for `knowledge_base`. */
function toSchemaName(type: string): string {
  const words = type.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Tool`;
}

/**
 * Maps each `type` of a tool to its schema, as a discriminator of the OpenAPI document. The mapping is written into the
 * document as it is, so it has the name that the generator gives to a schema in requests: with `Input` at the end.
 */
function toDiscriminator(schemasByType: ToolSchemas['schemasByType'], { prefix = '', suffix = '' }) {
  const mapping = schemasByType.map(({ type }) => [
    type,
    `#/components/schemas/${prefix}${toSchemaName(type)}${suffix}`,
  ]);
  return { propertyName: 'type', mapping: Object.fromEntries(mapping) as Record<string, string> };
}

/** Gives the schemas of tools their names in the OpenAPI document. */
export function nameToolSchemas(
  { schemasByType, toolInputSchema, toolSchema }: ToolSchemas,
  named: Pick<typeof z.globalRegistry, 'add'>,
): void {
  named.add(toolSchema, { id: 'Tool', discriminator: toDiscriminator(schemasByType, {}) });
  named.add(toolInputSchema, {
    id: 'NewTool',
    discriminator: toDiscriminator(schemasByType, { prefix: 'New', suffix: 'Input' }),
  });
  named.add(toolTypeSchema, { id: 'ToolType', type: 'string', enum: schemasByType.map(({ type }) => type) });
  for (const { type, input, stored } of schemasByType) {
    named.add(stored, { id: toSchemaName(type) });
    named.add(input, { id: `New${toSchemaName(type)}` });
  }
}

// Gives the schemas of agents and tools their names in the OpenAPI document.
z.globalRegistry.add(agentSchema, { id: 'Agent' });
z.globalRegistry.add(agentVersionSchema, { id: 'AgentVersion' });
nameToolSchemas(toolSchemas, z.globalRegistry);
