import type { ReplayPlan, ReplayProgress } from './replay-contract.ts';
import { escapeMarkdown } from '../../contract/turn-lines.ts';

const barLength = 20;

/** Markdown for the Web UI with the progress of a replay. */
export function toReplayDetails({ name }: Pick<ReplayPlan, 'name'>, progress: ReplayProgress): string {
  const { cases, done, status } = progress;
  const share = cases === null || cases === 0 ? 0 : done / cases;
  const filled = Math.round(share * barLength);
  const bar = `\`${'█'.repeat(filled)}${'░'.repeat(barLength - filled)}\``;
  return `**${escapeMarkdown(name)}** · ${status}\n\n${bar} ${done} of ${cases ?? '?'} cases`;
}
