import { z } from 'zod';

/**
 * The content of a request as the vendors document it, as strict schemas: a field or a part that a vendor does not know is
 * an error here, as it is there.
 */

const base64 = z.string().regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
const dataUrl = (types: string) =>
  z.string().regex(new RegExp(`^data:${types};base64,[A-Za-z0-9+/]+={0,2}$`));

/** https://platform.openai.com/docs/api-reference/responses/create */
const responsesContent = z.discriminatedUnion('type', [
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
const openai = z.object({
  input: z.array(
    z.union([
      z.strictObject({ role: z.enum(['system', 'developer']), content: z.string() }),
      z.strictObject({ role: z.literal('user'), content: z.array(responsesContent) }),
      z.object({
        role: z.literal('assistant'),
        content: z.union([z.string(), z.array(z.object({ type: z.literal('output_text') }))]),
      }),
      z.object({ type: z.literal('function_call'), call_id: z.string(), arguments: z.string() }),
      z.object({ type: z.literal('reasoning') }),
      z.strictObject({
        type: z.literal('function_call_output'),
        call_id: z.string(),
        output: z.union([z.string(), z.array(responsesContent)]),
      }),
    ]),
  ),
});

/** https://docs.anthropic.com/en/api/messages */
const cacheMark = {
  cache_control: z
    .strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
    .optional(),
};
const anthropicText = z.strictObject({ ...cacheMark, type: z.literal('text'), text: z.string().min(1) });
const anthropicImage = z.strictObject({
  ...cacheMark,
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
    data: base64,
  }),
});
const anthropicDocument = z.strictObject({
  ...cacheMark,
  type: z.literal('document'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.literal('application/pdf'),
    data: base64,
  }),
  title: z.string().optional(),
});
const anthropicResult = z.strictObject({
  ...cacheMark,
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.union([anthropicText, anthropicImage, anthropicDocument]))]),
  is_error: z.boolean().optional(),
});
const anthropicUserContent = z
  .array(z.union([anthropicText, anthropicImage, anthropicDocument, anthropicResult]))
  .refine(
    (blocks) => blocks.findLastIndex(isResult) < blocks.filter(isResult).length,
    'tool_result blocks come before all others',
  );
const anthropic = z.object({
  messages: z
    .array(
      z.discriminatedUnion('role', [
        z.strictObject({ role: z.literal('user'), content: anthropicUserContent }),
        z.strictObject({
          role: z.literal('assistant'),
          content: z.array(z.object({ type: z.enum(['text', 'tool_use', 'thinking', 'redacted_thinking']) })),
        }),
      ]),
    )
    .refine(
      (messages) => messages.every(({ role }, index) => (role === 'user') === (index % 2 === 0)),
      'roles alternate, and the first one is user',
    ),
});

function isResult({ type }: { type: string }): boolean {
  return type === 'tool_result';
}

/** https://ai.google.dev/api/caching#Content */
const inlineData = z.strictObject({
  inlineData: z.strictObject({ mimeType: z.string().regex(/^\w+\/[\w.+-]+$/), data: base64 }),
});
const google = z.object({
  contents: z.array(
    z.strictObject({
      role: z.enum(['user', 'model']),
      parts: z.array(
        z.union([
          z.strictObject({ text: z.string(), thoughtSignature: z.string().optional() }),
          inlineData,
          z.strictObject({
            functionCall: z.object({ name: z.string() }),
            thoughtSignature: z.string().optional(),
          }),
          z.strictObject({
            functionResponse: z.strictObject({
              id: z.string().optional(),
              name: z.string(),
              response: z.record(z.string(), z.unknown()),
              parts: z.array(inlineData).optional(),
            }),
          }),
        ]),
      ),
    }),
  ),
});

/** https://platform.openai.com/docs/api-reference/chat/create */
const chatContent = z.discriminatedUnion('type', [
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
const compatible = z.object({
  messages: z.array(
    z.discriminatedUnion('role', [
      z.strictObject({ role: z.literal('system'), content: z.string() }),
      z.strictObject({ role: z.literal('user'), content: z.union([z.string(), z.array(chatContent)]) }),
      z.object({ role: z.literal('assistant'), content: z.string().nullable() }),
      z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
    ]),
  ),
});

/** The content of requests, by the prefix of the vendor's models. */
const requestSchemas = { openai, anthropic, google, compatible };

export type FormatVendor = keyof typeof requestSchemas;

/** Returns why a vendor would refuse a request; null when its content is of the documented format. */
export function findFormatProblem(vendor: FormatVendor, body: unknown): string | null {
  const parsed = requestSchemas[vendor].safeParse(body);
  return parsed.success ? null : z.prettifyError(parsed.error);
}
