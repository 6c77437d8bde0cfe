import { setCurrentDetails } from '@temporalio/workflow';
import type { TurnOutcome } from '../src/domain/turn-status.ts';
import type {
  AgentTurnInput,
  CallModelResult,
  ExecuteToolCallResult,
  RoutableToolCall,
} from '../src/domain/turn-steps.ts';

const marks = { succeeded: '✓', failed: '✗', unknown: '?', blocked: '⊘', requested: '…', started: '…' };

/** Keeps the Markdown that the Web UI shows as the current details of a turn. */
export function createTurnDetails(input: AgentTurnInput) {
  const lines = [`**${escape(input.messagePreview)}**`];

  function add(line: string): void {
    lines.push(line);
    setCurrentDetails(lines.join('\n\n'));
  }

  return {
    answered: (iteration: number, { usage, textPreview, toolCalls }: CallModelResult): void => {
      const tokens = `${usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens} in, ${usage.outputTokens} out`;
      const said = textPreview === '' ? '' : `: ${escape(textPreview)}`;
      add(`**Iteration ${iteration}** · ${escape(input.model)} · ${tokens}${said}`);
      for (const call of toolCalls) add(`- … \`${call.summary.replaceAll('`', "'")}\``);
    },
    toolEnded: (
      call: RoutableToolCall,
      { status, durationMs, resultPreview }: ExecuteToolCallResult,
    ): void => {
      const result = escape(resultPreview.slice(0, 200));
      add(
        `- ${marks[status]} \`${call.summary.replaceAll('`', "'")}\` · ${status} · ${durationMs} ms · ${result}`,
      );
    },
    settled: (outcome: TurnOutcome): void => add(`**${outcome}**`),
  };
}

/** Text of a user or a model, with nothing in it that Markdown or HTML would act upon. */
function escape(text: string): string {
  return text.replace(/[\\`*_[\]<>#|!~]/g, (character) => `\\${character}`).replace(/\s+/g, ' ');
}
