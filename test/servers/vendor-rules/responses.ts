import { z } from 'zod';
import { argumentsText, checkFunctions, functionTool } from './openai-tools.ts';
import { checkUnique, functionName, holdTo, type Report } from './tool-rules.ts';

/** https://platform.openai.com/docs/api-reference/responses/create and the messages of its errors. */

export const dataUrl = (types: string) =>
  z.string().regex(new RegExp(`^data:${types};base64,[A-Za-z0-9+/]+={0,2}$`));
const callId = z.string().min(1).max(64);
const content = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('input_text'), text: z.string() }),
  z.strictObject({
    type: z.literal('input_image'),
    image_url: dataUrl('image/(?:png|jpeg|webp|gif)'),
    detail: z.enum(['low', 'high', 'auto']).optional(),
  }),
  z.strictObject({
    type: z.literal('input_file'),
    filename: z.string(),
    file_data: dataUrl('application/pdf'),
  }),
]);
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer']), content: z.string() }),
  z.strictObject({ role: z.literal('user'), content: z.array(content).min(1) }),
  z.object({
    role: z.literal('assistant'),
    content: z.union([
      z.string(),
      z.array(z.object({ type: z.literal('output_text'), text: z.string() })).min(1),
    ]),
  }),
]);
const item = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('function_call'),
    call_id: callId,
    name: functionName,
    arguments: argumentsText,
  }),
  z.object({ type: z.literal('reasoning'), summary: z.array(z.unknown()) }),
  z.strictObject({
    type: z.literal('function_call_output'),
    call_id: callId,
    output: z.union([z.string(), z.array(content).min(1)]),
  }),
]);

/** A request of the Responses API. */
export const responses = z
  .object({
    model: z.string().min(1),
    input: z.array(z.union([message, item])).min(1),
    max_output_tokens: z.int().min(16).optional(),
    temperature: z.number().min(0).max(2).optional(),
    prompt_cache_key: z.string().max(64).optional(),
    tools: z.array(z.strictObject({ type: z.literal('function'), ...functionTool })).optional(),
    tool_choice: z.unknown().optional(),
    parallel_tool_calls: z.boolean().optional(),
  })
  .superRefine(holdTo(checkRequest));

type Request = Pick<z.output<typeof responses>, 'input' | 'tools' | 'tool_choice'>;

function checkRequest({ input, tools = [], tool_choice: choice }: Request, report: Report): void {
  const calls: string[] = [];
  const outputs: string[] = [];
  for (const [index, one] of input.entries()) {
    if (!('type' in one)) continue;
    if (one.type === 'reasoning' && !isAnswer(input[index + 1]))
      report('an item of type reasoning was provided without its required following item');
    if (one.type === 'function_call') calls.push(one.call_id);
    if (one.type !== 'function_call_output') continue;
    if (!calls.includes(one.call_id))
      report(`no tool call found for function call output with call_id ${one.call_id}`);
    outputs.push(one.call_id);
  }
  checkUnique('ids of calls', calls, report);
  checkUnique('ids of outputs', outputs, report);
  const open = calls.find((id) => !outputs.includes(id));
  if (open !== undefined) report(`no tool output found for function call ${open}`);
  if (choice !== undefined && tools.length === 0)
    report('tool choice is only allowed when tools are specified');
  checkFunctions(tools, report);
}

function isAnswer(item: Request['input'][number] | undefined): boolean {
  if (!item) return false;
  return 'role' in item ? item.role === 'assistant' : item.type !== 'function_call_output';
}
