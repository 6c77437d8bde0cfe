import type { JsonObject } from '../../domain/json.ts';
import type { ModelAnswer, RequestedToolCall } from '../../domain/model.ts';
import { redactJson, type Redact } from '../../domain/redact.ts';

/** Redacts a model's answer: its texts, and the names and arguments of its tool calls. */
export function redactModelAnswer(answer: ModelAnswer, redact: Redact): ModelAnswer {
  const { providerContent, ...rest } = answer;
  const redacted: ModelAnswer = {
    ...rest,
    text: redact(answer.text),
    reasoning: redact(answer.reasoning),
    toolCalls: answer.toolCalls.map((call) => redactToolCall(call, redact)),
    answeredBy: redact(answer.answeredBy),
  };
  if (providerContent === undefined) return redacted;
  // A vendor refuses its own content when a part of it was changed, so changed content is left out.
  const same = JSON.stringify(redactJson(providerContent, redact)) === JSON.stringify(providerContent);
  return same ? { ...redacted, providerContent } : redacted;
}

function redactToolCall(call: RequestedToolCall, redact: Redact): RequestedToolCall {
  const { invalidArguments } = call;
  return {
    modelCallId: redact(call.modelCallId),
    name: redact(call.name),
    arguments: call.arguments && (redactJson(call.arguments, redact) as JsonObject),
    ...(invalidArguments === undefined ? {} : { invalidArguments: redact(invalidArguments) }),
  };
}
