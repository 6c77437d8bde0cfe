import type { JsonObject } from '../../domain/json.ts';

/** The arguments of a tool that searches a knowledge base, as its model is shown them. */
export const knowledgeBaseSchema: JsonObject = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What to look for, as a question or words' },
    limit: { type: 'integer', minimum: 1, maximum: 20, description: 'The most passages to answer with' },
  },
  required: ['query'],
};

/** The arguments of a tool that asks another agent. */
export const messageSchema: JsonObject = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'What to ask, with all that the agent has to know' },
  },
  required: ['message'],
};
