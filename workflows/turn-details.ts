import { setCurrentDetails } from '@temporalio/workflow';
import type { TurnOutcome } from '../src/domain/turn-status.ts';
import type {
  AgentTurnInput,
  CallModelResult,
  ExecuteToolCallResult,
  RoutableToolCall,
} from './contract/turn-steps.ts';

const marks = { succeeded: '✓', failed: '✗', unknown: '?', blocked: '⊘', requested: '…', started: '…' };

/** Keeps the Markdown that the Web UI shows as the current details of a turn. */
export function createTurnDetails(input: AgentTurnInput) {
  const lines = [`**${escape(input.messagePreview)}**`];
  let firstCall = 0;
  const children = new Map<number, string>();

  function show(): void {
    setCurrentDetails(lines.join('\n\n'));
  }

  return {
    answered: (iteration: number, { usage, textPreview, toolCalls }: CallModelResult): void => {
      const tokens = `${usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens} in, ${usage.outputTokens} out`;
      const said = textPreview === '' ? '' : `: ${escape(textPreview)}`;
      lines.push(`**Iteration ${iteration}** · ${escape(input.model)} · ${tokens}${said}`);
      firstCall = lines.length;
      children.clear();
      lines.push(...toolCalls.map((call) => `- … ${toCode(call.summary)}`));
      show();
    },
    /** Names the workflow that a call waits for, so that a reader of the Web UI can find it. */
    childStarted: (call: RoutableToolCall, workflowId: string): void => {
      lines[firstCall + call.index] = `- … ${toCode(call.summary)} · ${toCode(workflowId)}`;
      children.set(call.index, workflowId);
      show();
    },
    toolEnded: (call: RoutableToolCall, ended: ExecuteToolCallResult): void => {
      const { status, durationMs, resultPreview } = ended;
      const result = escape(resultPreview.slice(0, 200));
      const child = children.get(call.index);
      const place = child === undefined ? '' : ` · ${toCode(child)}`;
      lines[firstCall + call.index] =
        `- ${marks[status]} ${toCode(call.summary)}${place} · ${status} · ${durationMs} ms · ${result}`;
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

/** Escapes text of a user or a model, so that Markdown and HTML show it as it is. */
function escape(text: string): string {
  return text.replace(/[\\`*_[\]<>#|!~]/g, (character) => `\\${character}`).replace(/\s+/g, ' ');
}
