import { z } from 'zod';
import {
  base64,
  checkDraft,
  checkReferences,
  checkTop,
  checkUnique,
  holdTo,
  record,
  someText,
  type Definition,
  type Report,
} from './tool-rules.ts';

/** https://platform.claude.com/docs/en/api/messages and the messages of its errors. */

const mark = {
  cache_control: z
    .strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
    .optional(),
};
const callId = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const text = z.strictObject({ ...mark, type: z.literal('text'), text: someText });
const image = z.strictObject({
  ...mark,
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
    data: base64,
  }),
});
const document = z.strictObject({
  ...mark,
  type: z.literal('document'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.literal('application/pdf'),
    data: base64,
  }),
  title: z.string().optional(),
});
const result = z.strictObject({
  ...mark,
  type: z.literal('tool_result'),
  tool_use_id: callId,
  content: z.union([someText, z.array(z.union([text, image, document])).min(1)]),
  is_error: z.boolean().optional(),
});
const call = z.strictObject({
  ...mark,
  type: z.literal('tool_use'),
  id: callId,
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  input: record,
});
const user = z.strictObject({
  role: z.literal('user'),
  content: z
    .array(z.discriminatedUnion('type', [text, image, document, result]))
    .min(1)
    .refine(
      (blocks) => blocks.findLastIndex(isResult) < blocks.filter(isResult).length,
      'tool_result blocks come before all others',
    ),
});
const assistant = z.strictObject({
  role: z.literal('assistant'),
  content: z
    .array(
      z.discriminatedUnion('type', [
        text,
        call,
        z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) }),
        z.strictObject({ type: z.literal('redacted_thinking'), data: z.string().min(1) }),
      ]),
    )
    .min(1)
    .refine(
      (blocks) => blocks.at(-1)?.type.includes('thinking') !== true,
      'the final block cannot be thinking',
    ),
});
const tool = z.strictObject({
  ...mark,
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string().optional(),
  input_schema: record,
  eager_input_streaming: z.boolean().optional(),
});

/** A request of the Messages API. */
export const anthropic = z
  .object({
    model: z.string().min(1),
    max_tokens: z.int().min(1),
    temperature: z.number().min(0).max(1).optional(),
    system: z.union([someText, z.array(text).min(1)]).optional(),
    messages: z.array(z.discriminatedUnion('role', [user, assistant])).min(1),
    tools: z.array(tool).optional(),
    tool_choice: z.object({ type: z.enum(['auto', 'any', 'tool', 'none']) }).optional(),
  })
  .superRefine(holdTo(checkRequest));

type Request = Pick<z.output<typeof anthropic>, 'system' | 'messages' | 'tools' | 'tool_choice'>;

function checkRequest({ system, messages, tools = [], tool_choice: choice }: Request, report: Report): void {
  if (messages.some(({ role }, index) => (role === 'user') !== (index % 2 === 0)))
    report('roles alternate, and the first one is user');
  if (messages.at(-1)?.role !== 'user') report('the conversation must end with a user message');
  checkResults(messages, report);
  const blocks = messages.flatMap(({ content }) => content as { type: string; cache_control?: unknown }[]);
  const marked = [...tools, ...blocks, ...(Array.isArray(system) ? system : [])];
  if (marked.filter((one) => one.cache_control !== undefined).length > 4)
    report('at most 4 blocks are marked');
  if (blocks.some(({ type }) => type === 'tool_use') && tools.length === 0)
    report('requests which include tool_use blocks must define tools');
  if (choice && tools.length === 0) report('tool_choice may only be specified while providing tools');
  checkUnique(
    'tool names',
    tools.map(({ name }) => name),
    report,
  );
  for (const { name, input_schema: schema } of tools) checkSchema({ name, schema }, report);
}

function checkResults(messages: Request['messages'], report: Report): void {
  const ids: string[] = [];
  for (const [index, { content }] of messages.entries()) {
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    const next = messages[index + 1]?.content ?? [];
    const results = next.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
    ids.push(...calls);
    const open = calls.find((id) => !results.includes(id));
    if (open !== undefined)
      report(`tool_use ids were found without tool_result blocks immediately after: ${open}`);
    const unasked = results.find((id) => !calls.includes(id));
    if (unasked !== undefined) report(`unexpected tool_use_id in tool_result: ${unasked}`);
    checkUnique('tool_result ids', results, report);
  }
  checkUnique('tool_use ids', ids, report);
}

function checkSchema(definition: Definition, report: Report): void {
  checkTop(definition, ['oneOf', 'allOf', 'anyOf'], report);
  checkDraft(definition, report);
  checkReferences(definition, report);
  const { name, schema } = definition;
  const { properties = {} } = schema;
  const odd = Object.keys(record.parse(properties)).find((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key));
  if (odd !== undefined) report(`${name}: property keys should match '^[a-zA-Z0-9_.-]{1,64}$': ${odd}`);
}

function isResult({ type }: { type: string }): boolean {
  return type === 'tool_result';
}
