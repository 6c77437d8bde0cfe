import type { SwarmProgress } from './swarm-contract.ts';
import { escapeMarkdown } from '../../contract/turn-lines.ts';

const barLength = 20;

/** Markdown for the Web UI with the progress of a swarm. */
export function toSwarmDetails(progress: SwarmProgress): string {
  const { goal, status, reason, subtasks, running, failed } = progress;
  const all = Object.values(subtasks).reduce((sum, count) => sum + count, 0);
  const done = subtasks.done ?? 0;
  const filled = all === 0 ? 0 : Math.round((done / all) * barLength);
  const counts = Object.entries(subtasks).map(([name, count]) => `${count} ${name.replace('_', ' ')}`);
  return [
    `**${escapeMarkdown(goal)}** · ${status}${reason === null ? '' : `: ${escapeMarkdown(reason)}`}`,
    `\`${'█'.repeat(filled)}${'░'.repeat(barLength - filled)}\` ${done} of ${all} subtasks`,
    ...(counts.length > 0 ? [counts.join(' · ')] : []),
    ...(progress.leaderRuns ? ['- the leader decides'] : []),
    ...running.map((id) => `- … ${escapeMarkdown(id)}`),
    ...failed.map((id) => `- ✗ ${escapeMarkdown(id)}`),
    `${progress.turnsUsed} turns used, ${progress.turnsLeft} left`,
  ].join('\n\n');
}
