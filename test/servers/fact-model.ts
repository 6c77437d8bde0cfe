import type { ServerResponse } from 'node:http';
import { startHttpServer } from './http-server.ts';

interface ChatRequest {
  messages: { role: string; content: string | null }[];
}

/** A model that remembers only what it is sent. */
export interface FactModel {
  url: string;
  /** The tokens of each request for an answer, and of each for a summary, in their order. */
  answers: number[];
  summaries: number[];
  close: () => Promise<void>;
}

/** The bytes of a token of this model, which differ from what Holdfast takes for granted. */
const bytesPerToken = 3.5;

/** The question that is answered with all facts of the request. */
export const factQuestion = 'Which facts do you know?';

/** Returns a sentence that summaries keep. */
export function toFact(number: number): string {
  return `FACT ${number}: the code of shelf ${number} is ${(number * 7919) % 10_007}.`;
}

/**
 * Starts an OpenAI-compatible model whose summaries are made of what it is sent: it keeps the sentences that begin with "FACT" and
 * leaves out all others. So a fact that the code loses on the way is lost.
 */
export async function startFactModel(): Promise<FactModel> {
  const answers: number[] = [];
  const summaries: number[] = [];
  const server = await startHttpServer((_request, response, body) => {
    const { messages } = JSON.parse(body) as ChatRequest;
    const texts = messages.map(({ content }) => content ?? '');
    const tokens = Math.ceil(Buffer.byteLength(texts.join('')) / bytesPerToken);
    const isSummary = messages[0]?.content?.includes('You write the memory of an agent') === true;
    (isSummary ? summaries : answers).push(tokens);
    const facts = [...new Set(texts.join('\n').match(/FACT \d+: [^.\n]*\./g))];
    const isAsked = isSummary || texts.at(-1) === factQuestion;
    send(response, { text: isAsked ? facts.join('\n') || 'Nothing.' : answer, tokens });
  });
  return { url: server.url, answers, summaries, close: server.close };
}

const answer =
  'I have noted what you said about the shelves, and will look into it as soon as I can. '.repeat(3);

function send(response: ServerResponse, { text, tokens }: { text: string; tokens: number }): void {
  const output = Math.ceil(Buffer.byteLength(text) / bytesPerToken);
  const usage = { prompt_tokens: tokens, completion_tokens: output, total_tokens: tokens + output };
  const chunk = { id: 'answer', object: 'chat.completion.chunk', created: 0, model: 'bench', usage };
  const frame = (choice: object) =>
    `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(frame({ delta: { role: 'assistant', content: text }, finish_reason: null }));
  response.write(frame({ delta: {}, finish_reason: 'stop' }));
  response.end('data: [DONE]\n\n');
}
