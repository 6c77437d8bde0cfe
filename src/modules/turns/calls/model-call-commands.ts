import type { TurnModelCall } from '../../../clients/client/index.ts';
import { toDuration, toUsageLine } from '../../../clients/cli/format.ts';
import { toDollarText } from '../../../domain/dollars.ts';
import { toErrorLine } from '../../../domain/response-schema.ts';
import { toOneLine } from '../../../domain/text.ts';

/** Returns the model calls of a turn: one line each, with lines about what came before its answer. */
export function toModelCallLines(calls: TurnModelCall[]): string[] {
  return calls.length === 0 ? ['No model call is stored.'] : calls.flatMap(toLines);
}

function toLines(call: TurnModelCall): string[] {
  const before = [
    ...call.compactions.map(
      ({ kind, tokensBefore, tokensAfter }) =>
        `the context was shortened (${kind}), about ${tokensAfter} tokens of ${tokensBefore}`,
    ),
    ...call.failedAttempts.map(({ attempt, error }) => `attempt ${attempt} failed: ${toFailure(error)}`),
    ...call.passed.map(({ model, error }) => `${model} did not answer: ${toFailure(error)}`),
    ...call.cutShort.map(({ model, usage }) => `a message ended a call of ${model} (${toUsageLine(usage)})`),
    ...(call.leftOutTools.length > 0 ? [`without the tools ${call.leftOutTools.join(', ')}`] : []),
    ...(call.rejectedFor
      ? [`rejected: ${toOneLine(call.rejectedFor.map(toErrorLine).join('; '), 120)}`]
      : []),
  ];
  return [toCallLine(call), ...before.map((line) => `    ${line}`)];
}

function toCallLine(call: TurnModelCall): string {
  const { iteration, status, model, askedModel, answeredBy, durationMs, usage, credits, finishReason } = call;
  const parts = [
    `iteration ${iteration}`,
    status,
    model ?? askedModel,
    ...(answeredBy === null || answeredBy === model ? [] : [`as ${answeredBy}`]),
    ...(durationMs === null ? [] : [toDuration(durationMs)]),
    ...(usage === null ? [] : [toUsageLine(usage)]),
    ...(credits === null ? [] : [toDollarText(credits)]),
    ...(finishReason === null ? [] : [finishReason]),
  ];
  return parts.join(' · ');
}

function toFailure({ code, message }: { code: string; message: string }): string {
  return `${code} ${toOneLine(message, 120)}`;
}
