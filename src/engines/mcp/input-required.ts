import { UrlElicitationRequiredError, type InputRequiredResult } from '@modelcontextprotocol/client';
import type { QuestionRequest, QuestionSource, ServerQuestion } from '../../domain/question.ts';
import type { ToolOutcome } from '../../domain/tool.ts';
import { isJsonObject } from '../../domain/json.ts';
import { toServerQuestion, type AskingServer } from './elicitation.ts';

/** The longest state that is kept for a server, in characters. */
const longestState = 64 * 1024;

/**
 * Returns what a call waits for whose server needs answers before it continues (2026-07-28), or a failure when it needs
 * something else. Such a result means that the call has not taken effect.
 */
export function toRequiredInput(
  { inputRequests = {}, requestState }: InputRequiredResult,
  server: AskingServer,
): ToolOutcome {
  if (requestState !== undefined && requestState.length > longestState) {
    return failed(server, `asks to keep more than ${longestState} characters for it`);
  }
  const requests: QuestionRequest[] = [];
  for (const [key, request] of Object.entries(inputRequests as Record<string, unknown>)) {
    const question = findQuestion(request, server);
    if (!question)
      return failed(server, `asks for something that nobody can answer ("${server.redact(key)}")`);
    const state = requestState === undefined ? {} : { requestState };
    requests.push(
      toRequest(question, { server: server.label, via: 'result', url: question.url, key, ...state }),
    );
  }
  if (requests.length === 0) return failed(server, 'asks again and again to be called once more');
  return { status: 'waits', requests };
}

/** Returns what a call waits for that a server refused until a person has opened an address (2025-11-25). */
export function findRequiredUrls(error: unknown, server: AskingServer): ToolOutcome | null {
  if (!(error instanceof UrlElicitationRequiredError)) return null;
  const requests = error.elicitations.flatMap((params) => {
    const question = toServerQuestion(params, server);
    return question?.url
      ? [toRequest(question, { server: server.label, via: 'error', url: question.url })]
      : [];
  });
  return requests.length === 0 ? null : { status: 'waits', requests };
}

function findQuestion(request: unknown, server: AskingServer): ServerQuestion | null {
  if (!isJsonObject(request) || request.method !== 'elicitation/create') return null;
  return toServerQuestion(request.params, server);
}

function toRequest({ message, schema, options }: ServerQuestion, source: QuestionSource): QuestionRequest {
  return { kind: 'question', question: message, schema, options, source };
}

function failed({ label }: AskingServer, problem: string): ToolOutcome {
  const message = `The MCP server "${label}" did not run the call: it ${problem}.`;
  return { status: 'failed', error: { code: 'TOOL_FAILED', message } };
}
