import { z } from 'zod';
import {
  base64,
  checkReferences,
  checkTop,
  checkUnique,
  holdTo,
  listParts,
  record,
  someText,
  type Definition,
  type Report,
} from './tool-rules.ts';

/** https://ai.google.dev/api/generate-content, https://ai.google.dev/api/caching#Content and the messages of its errors. */

const functionName = z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/);
const signature = { thoughtSignature: z.string().min(1).optional() };
const inlineData = z.strictObject({
  inlineData: z.strictObject({ mimeType: z.string().regex(/^\w+\/[\w.+-]+$/), data: base64 }),
});
const text = z
  .strictObject({ text: z.string(), thought: z.boolean().optional(), ...signature })
  .refine(
    ({ text: said, thoughtSignature }) => thoughtSignature !== undefined || said.trim() !== '',
    'empty text',
  );
const call = z.strictObject({
  functionCall: z.strictObject({ id: z.string().min(1).optional(), name: functionName, args: record }),
  ...signature,
});
const response = z.strictObject({
  functionResponse: z.strictObject({
    id: z.string().min(1).optional(),
    name: functionName,
    response: record,
    parts: z.array(inlineData).optional(),
  }),
});
const declaration = z.strictObject({
  name: functionName,
  description: z.string(),
  parametersJsonSchema: record,
});

/** A request of `generateContent`; the model is in its address. */
export const google = z
  .object({
    systemInstruction: z.object({ parts: z.array(z.strictObject({ text: someText })).min(1) }).optional(),
    contents: z
      .array(
        z.strictObject({
          role: z.enum(['user', 'model']),
          parts: z.array(z.union([text, inlineData, call, response])).min(1),
        }),
      )
      .min(1),
    tools: z.array(z.object({ functionDeclarations: z.array(declaration).min(1) })).optional(),
    toolConfig: z.unknown().optional(),
  })
  .superRefine(holdTo(checkRequest));

type Request = Pick<z.output<typeof google>, 'contents' | 'tools' | 'toolConfig'>;

function checkRequest({ contents, tools = [], toolConfig }: Request, report: Report): void {
  if (contents[0]?.role !== 'user') report('the first content is that of the user');
  if (contents.at(-1)?.role !== 'user') report('the last content is that of the user');
  if (contents.some(({ role }, index) => role === 'model' && contents[index - 1]?.role === 'model'))
    report('ensure that multiturn requests alternate between user and model');
  for (const [index, { parts }] of contents.entries()) {
    const asked = (contents[index - 1]?.parts ?? []).filter((part) => 'functionCall' in part).length;
    const answered = parts.filter((part) => 'functionResponse' in part).length;
    if (asked !== answered)
      report('the number of function response parts has to equal that of the function call parts before');
  }
  if (contents.at(-1)?.parts.some((part) => 'functionCall' in part))
    report('a function call has no response');
  const declared = tools.flatMap(({ functionDeclarations }) => functionDeclarations);
  if (toolConfig !== undefined && declared.length === 0)
    report('function calling config is set without functions');
  if (declared.length > 128) report(`at most 128 functions are allowed, and there are ${declared.length}`);
  checkUnique(
    'names of functions',
    declared.map(({ name }) => name),
    report,
  );
  for (const { name, parametersJsonSchema: schema } of declared) checkSchema({ name, schema }, report);
}

/** https://ai.google.dev/api/caching#FunctionDeclaration: the part of JSON Schema that the vendor reads. */
function checkSchema(definition: Definition, report: Report): void {
  const { name, schema } = definition;
  checkTop(definition, [], report);
  checkReferences(definition, report);
  for (const part of listParts(schema)) {
    const { $ref, enum: values } = part;
    if (typeof $ref === 'string' && Object.keys(part).some((key) => !key.startsWith('$')))
      report(`${name}: a part with $ref has other keywords`);
    if (Array.isArray(values) && values.some((value) => !['string', 'number'].includes(typeof value)))
      report(`${name}: the values of an enum are texts or numbers`);
  }
}
