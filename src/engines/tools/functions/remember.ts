import { z } from 'zod';
import { getToolService } from '../tool-services.ts';
import { defineCoreFunction } from './define-core-function.ts';
import { toServiceResult } from './resource-service.ts';

const name = 'remember';
const tags = z.array(z.string().min(1).max(64)).max(20);

/** Whose memory something is. */
export const scopeSchema = z.enum(['agent', 'user', 'workspace']);

const input = z.strictObject({
  content: z.string().min(1).max(8_000).describe('The fact to remember, in one or a few sentences'),
  scope: scopeSchema
    .default('agent')
    .describe('agent: for yourself. user: about the person you talk to. workspace: for all agents'),
  tags: tags.default([]),
  ttlSeconds: z.int().min(1).max(3_155_760_000).optional().describe('Forget it after so many seconds'),
  replaces: z.uuid().optional().describe('The id of a memory that is out of date, whose place it takes'),
});

/** Keeps something for later conversations. */
export const remember = defineCoreFunction({
  name,
  description:
    'Remembers something for later conversations. Keep only what will matter again, never passwords or keys. To correct ' +
    'a memory, name its id in "replaces".',
  input,
  effect: 'keyed',
  run: (memory, call) =>
    toServiceResult(name, async () =>
      JSON.stringify(await getToolService(call.services, 'resources').remember(memory, call)),
    ),
});
