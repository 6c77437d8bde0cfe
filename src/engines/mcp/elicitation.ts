import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { JsonObject } from '../../domain/json.ts';
import { jsonObjectSchema } from '../../domain/json-value.ts';
import { urlAnswers, type CallDialogue, type ServerQuestion } from '../../domain/question.ts';
import { stripInvisible } from '../../domain/invisible-text.ts';
import { redactJson, type Redact } from '../../domain/redact.ts';
import { toPreview } from '../../domain/text.ts';
import { currentRequest, type Elicit } from './pending-request.ts';

/** A server that asks: its name, and what takes its credentials out of texts. */
export interface AskingServer {
  label: string;
  redact: Redact;
}

/** The calls of a session whose servers may ask. */
export type OpenElicitations = Set<Elicit>;

/** The longest message that a person is shown, in characters. */
const longestMessage = 4_000;

const urlParams = z.object({
  mode: z.literal('url'),
  message: z.string(),
  // Anything else, such as `javascript:`, is nothing to be opened by a click.
  url: z.url({ protocol: /^https?$/ }).max(8_192),
});

const formParams = z.object({
  mode: z.literal('form').optional(),
  message: z.string(),
  requestedSchema: jsonObjectSchema,
});

const elicitationParams = z.union([urlParams, formParams]);

/**
 * Reads the parameters of `elicitation/create`; null when they are none.
 * https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
 */
export function toServerQuestion(params: unknown, { label, redact }: AskingServer): ServerQuestion | null {
  const { data } = elicitationParams.safeParse(params);
  if (!data) return null;
  // A terminal would act on control characters, and a person would not see others.
  const message = toPreview(stripInvisible(redact(data.message)), longestMessage);
  if (data.mode === 'url') {
    // As the browser reads it, without control characters.
    const url = URL.parse(redact(data.url))?.href;
    const schema = { type: 'string', enum: urlAnswers };
    return url === undefined ? null : { server: label, message, url, options: urlAnswers, schema };
  }
  // The protocol takes no other fields back than those that it asked for.
  const schema = { additionalProperties: false, ...(redactJson(data.requestedSchema, redact) as JsonObject) };
  return { server: label, message, url: null, options: null, schema };
}

/** The parts of a call by which its server may ask. */
interface ElicitingCall extends AskingServer {
  dialogue: CallDialogue;
  deadline: number;
  /** Fires when the call is over. */
  over: AbortSignal;
}

/** Builds the function that answers what a server asks during a call; a question that cannot be read is cancelled. */
export function createElicit({ dialogue, deadline, over, ...server }: ElicitingCall): Elicit {
  return async (params, withdrawn) => {
    const question = toServerQuestion(params, server);
    if (!question) return { action: 'cancel' };
    const { action, content } = await dialogue.ask(question, { deadline, over, withdrawn });
    return { action, ...(content ? { content: content as NonNullable<ElicitResult['content']> } : {}) };
  };
}

/**
 * Lets a server ask during the calls in `open`: the one whose response carries the request, or the only one. A question
 * at any other time is cancelled.
 */
export function takeElicitations(client: Client, open: OpenElicitations): void {
  client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => {
    const elicit = findElicit(open);
    return elicit ? elicit(params, mcpReq.signal) : { action: 'cancel' };
  });
}

/** Over stdio, and on the stream that belongs to no request, a question does not say which call it is about. */
function findElicit(open: OpenElicitations): Elicit | undefined {
  const request = currentRequest();
  if (request) return request.elicit && open.has(request.elicit) ? request.elicit : undefined;
  const [only, ...others] = open;
  return others.length === 0 ? only : undefined;
}
