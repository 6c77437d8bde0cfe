import { z } from 'zod';
import { anthropic } from './vendor-rules/anthropic.ts';
import { chat, compatible } from './vendor-rules/chat.ts';
import { google } from './vendor-rules/google.ts';
import { responses } from './vendor-rules/responses.ts';

/**
 * The requests that the vendors take, by the prefix of the vendor's models and `chat` for OpenAI's older protocol. What a vendor does
 * not know is an error here, as it is there.
 */
const requestSchemas = { openai: responses, chat, anthropic, google, compatible };

export type FormatVendor = keyof typeof requestSchemas;

/** Returns why a vendor would refuse a request; null when it takes it. */
export function findFormatProblem(vendor: FormatVendor, body: unknown): string | null {
  const parsed = requestSchemas[vendor].safeParse(body);
  return parsed.success ? null : z.prettifyError(parsed.error);
}
