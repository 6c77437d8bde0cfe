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
  let firstCall = 0;

  function show(): void {
    setCurrentDetails(lines.join('\n\n'));
  }

  return {
    answered: (iteration: number, { usage, textPreview, toolCalls }: CallModelResult): void => {
      const tokens = `${usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens} in, ${usage.outputTokens} out`;
      const said = textPreview === '' ? '' : `: ${escape(textPreview)}`;
      lines.push(`**Iteration ${iteration}** · ${escape(input.model)} · ${tokens}${said}`);
      firstCall = lines.length;
      lines.push(...toolCalls.map((call) => `- … ${toCode(call.summary)}`));
      show();
    },
    toolEnded: (call: RoutableToolCall, ended: ExecuteToolCallResult): void => {
      const { status, durationMs, resultPreview } = ended;
      const result = escape(resultPreview.slice(0, 200));
      lines[firstCall + call.index] =
        `- ${marks[status]} ${toCode(call.summary)} · ${status} · ${durationMs} ms · ${result}`;
      show();
    },
    settled: (outcome: TurnOutcome): void => {
      lines.push(`**${outcome}**`);
      show();
    },
  };
}

function toCode(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

/** Text of a user or a model, with nothing in it that Markdown or HTML would act upon. */
function escape(text: string): string {
  return text.replace(/[\\`*_[\]<>#|!~]/g, (character) => `\\${character}`).replace(/\s+/g, ' ');
}
