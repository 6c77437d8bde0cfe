import type { RoutineStep } from '../../domain/routine.ts';
import type { RoutineStatusAnswer } from './routine-contract.ts';
import { escapeMarkdown } from '../../contract/turn-lines.ts';

const marks = { completed: '✓', faulted: '✗', cancelled: '⊘', skipped: '↷', running: '…', waiting: '…' };

/** How many steps that have ended are shown. */
const endedSteps = 20;

/** Markdown for the Web UI with the progress of a run of a routine. */
export function toRoutineDetails(name: string, { status, steps }: RoutineStatusAnswer): string {
  const open = steps.filter(({ endedAt }) => endedAt === null);
  const ended = steps.filter(({ endedAt }) => endedAt !== null).slice(-endedSteps);
  const lines = [...ended, ...open].map(toLine).join('\n');
  return `**${escapeMarkdown(name)}** · ${status}\n\n${lines}`;
}

function toLine({ state, name, kind, number, waitsFor, outputPreview }: RoutineStep): string {
  const detail = waitsFor === null ? (outputPreview ?? '').slice(0, 80) : `waits for ${waitsFor}`;
  return `- ${marks[state]} ${number}. ${escapeMarkdown(name)} (${kind}) ${escapeMarkdown(detail)}`.trimEnd();
}
