import { setCurrentDetails } from '@temporalio/workflow';
import type { TurnOutcome } from '../src/domain/turn-status.ts';
import { createTurnLines, escapeMarkdown, type TurnLines } from '../src/contract/turn-lines.ts';
import type {
  AgentTurnInput,
  BegunTurn,
  PausedTurn,
  RoutableToolCall,
  RunTurnResult,
} from '../src/contract/turn-steps.ts';

/** Keeps the Markdown that the Web UI shows as the current details of a turn. */
export function createTurnDetails({ messagePreview, model, paused, begun }: AgentTurnInput) {
  const calls = toPausedLines(paused);
  const head = [`**${escapeMarkdown(messagePreview)}**`, ...(begun ? [toBegunLine(begun)] : [])];
  let turnLines = createTurnLines(model, [...head, ...calls], calls.length);

  const shown =
    <Values extends unknown[]>(write: (...values: Values) => void) =>
    (...values: Values): void => {
      write(...values);
      setCurrentDetails(turnLines.lines.join('\n\n'));
    };

  return {
    answered: shown((...answer: Parameters<TurnLines['answered']>) => turnLines.answered(...answer)),
    summarized: shown((...done: Parameters<TurnLines['summarized']>) => turnLines.summarized(...done)),
    childStarted: shown((...child: Parameters<TurnLines['childStarted']>) =>
      turnLines.childStarted(...child),
    ),
    toolEnded: shown((...end: Parameters<TurnLines['toolEnded']>) => turnLines.toolEnded(...end)),
    /** Names the calls that wait for people. */
    waits: shown((calls: RoutableToolCall[]) =>
      turnLines.lines.push(
        ...calls.map(({ summary }) => `**Waits for a person**: ${escapeMarkdown(summary)}`),
      ),
    ),
    /** Appends the lines of a part of the turn that ran inside one activity. */
    partEnded: shown(({ lines, rest }: RunTurnResult) => {
      turnLines = createTurnLines(
        model,
        [...turnLines.lines, ...lines],
        rest?.calls ?? rest?.toolCalls?.length,
      );
    }),
    settled: shown((outcome: TurnOutcome) => turnLines.lines.push(`**${outcome}**`)),
  };
}

/** Says where the first part of a turn ran, which this history does not show. */
function toBegunLine({ worker }: BegunTurn): string {
  return worker === undefined
    ? '**Came without a workflow**: its worker was lost, or none took it'
    : `**Began without a workflow**, in the worker ${escapeMarkdown(worker)}`;
}

/** A line for each tool call of the iteration at which a turn waits, up to the last one that waits. */
function toPausedLines(paused: PausedTurn | undefined): string[] {
  const waiting = new Map(paused?.waiting.map(({ call }) => [call.index, call.summary]));
  const count = Math.max(-1, ...waiting.keys()) + 1;
  return Array.from({ length: count }, (_, index) => {
    const summary = waiting.get(index);
    return summary === undefined ? '- ended before' : `- … ${escapeMarkdown(summary)}`;
  });
}
