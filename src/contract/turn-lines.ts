import type {
  CallModelResult,
  ExecuteToolCallResult,
  RoutableToolCall,
  SummarizeContextResult,
} from './turn-steps.ts';

const marks = {
  succeeded: '✓',
  failed: '✗',
  unknown: '?',
  blocked: '⊘',
  skipped: '⊘',
  requested: '…',
  started: '…',
};

/** The Markdown that shows a turn's answers and tool calls, a paragraph for each. */
export interface TurnLines {
  lines: string[];
  answered: (iteration: number, answer: CallModelResult) => void;
  summarized: (iteration: number, result: SummarizeContextResult) => void;
  /** Names the workflow that a call waits for, so that a reader of the Web UI can find it. */
  childStarted: (call: RoutableToolCall, workflowId: string) => void;
  toolEnded: (call: RoutableToolCall, ended: ExecuteToolCallResult) => void;
}

/** Writes the lines of a turn. `lines` are those that are there already, which end with the calls of the last answer. */
export function createTurnLines(model: string, lines: string[] = [], lastCalls = 0): TurnLines {
  let firstCall = lines.length - lastCalls;
  const children = new Map<number, string>();

  return {
    lines,
    answered: (iteration, { usage, textPreview, toolCalls }) => {
      const tokens = `${usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens} in, ${usage.outputTokens} out`;
      const said = textPreview === '' ? '' : `: ${escapeMarkdown(textPreview)}`;
      lines.push(`**Iteration ${iteration}** · ${escapeMarkdown(model)} · ${tokens}${said}`);
      firstCall = lines.length;
      children.clear();
      lines.push(...toolCalls.map((call) => `- … ${toCode(call.summary)}`));
    },
    summarized: (_, { textPreview, error }) => {
      const text = error ? `the oldest turns are left out: ${error.message}` : textPreview;
      lines.push(`**Summary** · ${escapeMarkdown(text)}`);
    },
    childStarted: (call, workflowId) => {
      lines[firstCall + call.index] = `- … ${toCode(call.summary)} · ${toCode(workflowId)}`;
      children.set(call.index, workflowId);
    },
    toolEnded: (call, { status, durationMs, resultPreview }) => {
      const result = escapeMarkdown(resultPreview.slice(0, 200));
      const child = children.get(call.index);
      const place = child === undefined ? '' : ` · ${toCode(child)}`;
      lines[firstCall + call.index] =
        `- ${marks[status]} ${toCode(call.summary)}${place} · ${status} · ${durationMs} ms · ${result}`;
    },
  };
}

function toCode(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

/** Escapes text of a user or a model, so that Markdown and HTML show it as it is. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#|!~]/g, (character) => `\\${character}`).replace(/\s+/g, ' ');
}
