import { z } from 'zod';

/** An id or a name in the `config` of a tool. */
export const configText = z.string().max(200).optional();

/**
 * The fields that every type of tool took before each type had its own schema. Callers may still send them: what
 * does not belong to the type of a tool is dropped.
 */
export const formerConfigFields = [
  'workflowId',
  'functionName',
  'knowledgeBaseId',
  'agentId',
  'agentName',
  'connectionId',
  'provider',
  'connectorId',
  'server',
  'tool',
  'gateway',
  'servers',
  'detach',
  'model',
] as const;
