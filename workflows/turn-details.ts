import { setCurrentDetails } from '@temporalio/workflow';
import type { TurnOutcome } from '../src/domain/turn-status.ts';
import { createTurnLines, escapeMarkdown, type TurnLines } from './contract/turn-lines.ts';
import type { AgentTurnInput, RunTurnResult } from './contract/turn-steps.ts';

/** Keeps the Markdown that the Web UI shows as the current details of a turn. */
export function createTurnDetails({ messagePreview, model }: AgentTurnInput) {
  let told = createTurnLines(model, [`**${escapeMarkdown(messagePreview)}**`]);

  const shown =
    <Values extends unknown[]>(tell: (...values: Values) => void) =>
    (...values: Values): void => {
      tell(...values);
      setCurrentDetails(told.lines.join('\n\n'));
    };

  return {
    answered: shown((...answer: Parameters<TurnLines['answered']>) => told.answered(...answer)),
    childStarted: shown((...child: Parameters<TurnLines['childStarted']>) => told.childStarted(...child)),
    toolEnded: shown((...end: Parameters<TurnLines['toolEnded']>) => told.toolEnded(...end)),
    /** Appends what a part of the turn tells that ran inside one activity. */
    partEnded: shown(({ lines, rest }: RunTurnResult) => {
      told = createTurnLines(model, [...told.lines, ...lines], rest?.toolCalls?.length);
    }),
    settled: shown((outcome: TurnOutcome) => told.lines.push(`**${outcome}**`)),
  };
}
