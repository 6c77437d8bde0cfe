import type { HoldfastClient } from '../../../clients/client/index.ts';
import { toCountText } from '../../../domain/replay-words.ts';
import type { Terminal } from '../../../clients/cli/terminal.ts';

const barCharacters = 30;
/** Without a terminal a line is printed for each of so many parts. */
const printedParts = 10;

type Progress = Pick<Awaited<ReturnType<HoldfastClient['replays']['get']>>, 'status' | 'runs' | 'spent'>;

/** Shows the progress of a replay until it has ended: a bar in a terminal, otherwise lines. */
export async function showProgress(
  { client, terminal, isTerminal }: { client: HoldfastClient; terminal: Terminal; isTerminal: boolean },
  replayId: string,
): Promise<void> {
  let printed = -1;
  for await (const event of client.replays.follow(replayId)) {
    if (isTerminal) terminal.replaceLine(toBar(event));
    else if (toPart(event) > printed) terminal.line(toProgressLine(event));
    printed = Math.max(printed, toPart(event));
  }
  if (isTerminal) terminal.replaceLine('');
}

function toShare({ runs: { total, done } }: Progress): number {
  return total === null ? 0 : total === 0 ? 1 : done / total;
}

function toPart(progress: Progress): number {
  return Math.floor(toShare(progress) * printedParts);
}

function toBar(progress: Progress): string {
  const full = Math.round(toShare(progress) * barCharacters);
  return `${'█'.repeat(full)}${'░'.repeat(barCharacters - full)} ${toProgressLine(progress)}`;
}

/** How far a replay is, and what it has spent. */
export function toProgressLine({ status, runs: { total, done, failed }, spent }: Progress): string {
  const failures = failed > 0 ? `, ${failed} could not be made` : '';
  const cost = spent.costUsd > 0 ? `, $${spent.costUsd.toFixed(4)}` : '';
  return `${status}: ${done} of ${total ?? '?'} runs${failures}, ${toCountText(spent.tokens, 'token')}${cost}`;
}
