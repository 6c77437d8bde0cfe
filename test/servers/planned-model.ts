import type { JsonObject } from '../../src/domain/json.ts';
import { startHttpServer } from './http-server.ts';
import { answerAs, type ChatRequestBody, type ScriptEntry } from './scripted-model.ts';

/** A tool call of a plan. The tool is the one whose description holds the text, whatever its name is. */
interface PlannedCall {
  tool: string;
  arguments: JsonObject;
}

/** The way in which the model answers a message: rounds of parallel tool calls, and then the answer. */
export interface Plan {
  rounds: PlannedCall[][];
  answer: string;
  /** Other plans, for instructions that hold the text. */
  instructed?: Record<string, Omit<Plan, 'instructed'>>;
}

/** A model that always does the same for the same conversation. */
export interface PlannedModel {
  /** The base URL of the vendor `compatible`. */
  baseUrl: string;
  /** The bodies of all requests so far. */
  requests: ChatRequestBody[];
  close: () => Promise<void>;
}

interface PlannedModelOptions {
  /** Wait before anything is answered. @default 0 */
  delayMs?: number;
  /** Answers a request in place of the plan. */
  intercept?: (body: ChatRequestBody) => ScriptEntry | undefined;
  /** Counts the tokens of a request. @default 10 for each message */
  countTokens?: (body: ChatRequestBody) => number;
}

/** Starts a model that reads its plan as JSON in the user's last message, over real HTTP. */
export async function startPlannedModel({
  intercept,
  delayMs = 0,
  countTokens = ({ messages }) => 10 * messages.length,
}: PlannedModelOptions = {}): Promise<PlannedModel> {
  const requests: ChatRequestBody[] = [];
  const server = await startHttpServer((_, response, text) => {
    const body = JSON.parse(text) as ChatRequestBody;
    requests.push(body);
    return answerAs(response, intercept?.(body) ?? { ...toPlannedAnswer(body, countTokens(body)), delayMs });
  });
  return { baseUrl: `${server.url}/v1`, requests, close: server.close };
}

function toPlannedAnswer({ messages, tools = [] }: ChatRequestBody, inputTokens: number): ScriptEntry {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  // Messages of the user that follow each other come as one.
  const asked = JSON.parse(messages[start]?.content?.split('\n\n').at(-1) ?? '{}') as Plan;
  const instructions = messages.find(({ role }) => role === 'system')?.content ?? '';
  const instructed = Object.entries(asked.instructed ?? {}).find(([text]) => instructions.includes(text));
  const plan = instructed?.[1] ?? asked;
  const round = messages.slice(start).filter(({ role }) => role === 'assistant').length;
  const toolCalls = (plan.rounds[round] ?? []).flatMap((call) => {
    const tool = tools.find(({ function: { description = '' } }) => description.includes(call.tool));
    return tool ? [{ name: tool.function.name, arguments: call.arguments }] : [];
  });
  const usage = { inputTokens, outputTokens: 5 };
  return toolCalls.length > 0 ? { toolCalls, usage } : { text: plan.answer, usage };
}
