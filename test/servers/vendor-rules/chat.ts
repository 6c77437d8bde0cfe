import { z } from 'zod';
import { argumentsText, checkFunctions, functionTool } from './openai-tools.ts';
import { dataUrl } from './responses.ts';
import { base64, checkUnique, functionName, holdTo, someText, type Report } from './tool-rules.ts';

/** https://platform.openai.com/docs/api-reference/chat/create and the messages of its errors. */

const callId = z.string().min(1).max(40);
const content = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({ url: dataUrl('image/(?:png|jpeg|webp|gif)') }),
  }),
  z.strictObject({
    type: z.literal('input_audio'),
    input_audio: z.strictObject({ data: base64, format: z.enum(['wav', 'mp3']) }),
  }),
  z.strictObject({
    type: z.literal('file'),
    file: z.strictObject({ filename: z.string(), file_data: dataUrl('application/pdf') }),
  }),
]);
const call = z.object({
  id: callId,
  type: z.literal('function'),
  function: z.strictObject({ name: functionName, arguments: argumentsText }),
});
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({ role: z.literal('user'), content: z.union([z.string(), z.array(content).min(1)]) }),
  z
    .strictObject({
      role: z.literal('assistant'),
      content: z.string().nullable(),
      // OpenAI has no such field; servers of models that reason want it back.
      reasoning_content: z.string().optional(),
      tool_calls: z.array(call).min(1).max(128).optional(),
    })
    .refine(
      ({ content: text, tool_calls: calls }) => text !== null || calls,
      'content is null without tool calls',
    ),
  z.strictObject({ role: z.literal('tool'), tool_call_id: callId, content: z.string() }),
]);

const request = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  max_tokens: z.int().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  tools: z
    .array(z.strictObject({ type: z.literal('function'), function: z.strictObject(functionTool) }))
    .min(1)
    .optional(),
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: z.boolean().optional(),
});

/** A request of the Chat Completions API of OpenAI. */
export const chat = request.superRefine(holdTo(checkRequest));

/**
 * A request to a server of the protocol, which may be stricter than OpenAI: chat templates of models refuse roles that do not
 * alternate and a system message in the middle, and gateways to other vendors refuse texts and ids that these refuse.
 */
export const compatible = request.superRefine(
  holdTo((body, report) => {
    checkRequest(body, report);
    checkTemplate(body.messages, report);
  }),
);

type Request = Pick<z.output<typeof request>, 'messages' | 'tools' | 'tool_choice' | 'parallel_tool_calls'>;

function checkRequest(body: Request, report: Report): void {
  const { messages, tools = [] } = body;
  let open: string[] = [];
  const ids: string[] = [];
  for (const one of messages) {
    if (one.role === 'tool') {
      if (!open.includes(one.tool_call_id))
        report('a tool message must be a response to a preceding tool call');
      open = open.filter((id) => id !== one.tool_call_id);
      continue;
    }
    if (open.length > 0) report(`these tool_call_ids did not have response messages: ${open.join(', ')}`);
    open = one.role === 'assistant' ? (one.tool_calls ?? []).map(({ id }) => id) : [];
    ids.push(...open);
  }
  if (open.length > 0) report(`these tool_call_ids did not have response messages: ${open.join(', ')}`);
  checkUnique('ids of calls', ids, report);
  for (const setting of ['tool_choice', 'parallel_tool_calls'] as const) {
    if (body[setting] !== undefined && tools.length === 0) report(`${setting} is only allowed with tools`);
  }
  checkFunctions(
    tools.map((tool) => tool.function),
    report,
  );
}

function checkTemplate(messages: Request['messages'], report: Report): void {
  if (messages.some(({ role }, index) => role === 'system' && index > 0))
    report('the system message comes first');
  const said = messages.filter(({ role }) => role !== 'system');
  if (said[0]?.role !== 'user') report('the first message is that of the user');
  if (said.some(({ role }, index) => role !== 'tool' && role === said[index - 1]?.role))
    report('conversation roles must alternate');
  for (const { content: written } of messages) {
    const texts = typeof written === 'string' ? [written] : (written ?? []).flatMap(listText);
    if (texts.some((one) => !someText.safeParse(one).success)) report('a text has only white space');
  }
  const odd = messages.flatMap((one) => ('tool_calls' in one ? (one.tool_calls ?? []) : []));
  if (odd.some(({ id }) => !/^[a-zA-Z0-9_-]+$/.test(id))) report('an id of a call has other characters');
}

function listText(part: z.output<typeof content>): string[] {
  return part.type === 'text' ? [part.text] : [];
}
