import type { GetConversationContextResponse as ShownContext } from '../../../clients/client/index.ts';
import { toDollarText } from '../../../domain/dollars.ts';
import { toOneLine } from '../../../domain/text.ts';
import { toArgumentsLine, toCount } from '../../../clients/cli/format.ts';

/** Returns what the next model call of a conversation would see, and how the conversation was shortened. */
export function toContextLines(context: ShownContext): string[] {
  const { model, compaction, estimatedTokens, threshold, isTooLong, tools, messages, compactions } = context;
  return [
    `${model}  about ${estimatedTokens} of ${threshold} tokens${isTooLong ? ', which is too long' : ''}  ${compaction}`,
    ...toLeftOut(context),
    `Tools: ${tools.map(({ name }) => name).join(', ') || 'none'}`,
    ...messages.map(toMessageLine),
    ...(compactions.length > 0 ? ['Shortened, the newest first:'] : []),
    ...compactions.map(toCompactionLine),
  ];
}

function toLeftOut({ leftOut: { turns, results } }: ShownContext): string[] {
  const parts = [
    ...(turns > 0 ? [`${toCount(turns, 'turn')} left out`] : []),
    ...(results > 0 ? [`${toCount(results, 'result')} replaced by references`] : []),
  ];
  return parts.length > 0 ? [`${parts.join(', ')}.`] : [];
}

function toMessageLine({ role, text, toolCalls = [] }: ShownContext['messages'][number]): string {
  const calls = toolCalls.map(({ name, arguments: input }) => `${name}(${toArgumentsLine(input)})`);
  return `  ${role.padEnd(9)}  ${toOneLine([text, ...calls].join(' ').trim(), 120)}`;
}

function toCompactionLine(compaction: ShownContext['compactions'][number]): string {
  const { createdAt, turnId, kind, tokensBefore, tokensAfter, model, credits, error } = compaction;
  const by = model === null ? '' : `  by ${model}${credits === null ? '' : ` for ${toDollarText(credits)}`}`;
  const reason = error === null ? '' : `  ${error.code}: ${toOneLine(error.message, 120)}`;
  return `  ${createdAt}  turn ${turnId}  ${kind}  ${tokensBefore} to ${tokensAfter} tokens${by}${reason}`;
}
