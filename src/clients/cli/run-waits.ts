import { HoldfastApiError, type HoldfastClient, type PendingAction } from '../client/index.ts';
import type { RoutineRunDetails, RoutineStep } from '../../domain/routine.ts';
import { toOneLine } from '../../domain/text.ts';
import { toStuckLines } from './format.ts';

type Client = Pick<HoldfastClient, 'pendingActions'>;
type Run = Pick<RoutineRunDetails, 'id' | 'steps' | 'stuck'>;

/**
 * Creates a function that says what a run waits for, each wait once: an approval, a question or a result with the command
 * that decides it, an event, a time, or another run.
 */
export function createWaitAnnouncer(client: Client, say: (line: string) => void) {
  const said = new Set<string>();
  const sayOnce = (key: string, lines: string[]) => {
    if (!said.has(key)) lines.forEach(say);
    said.add(key);
  };
  return async (run: Run): Promise<void> => {
    for (const line of toStuckLines(run.stuck)) sayOnce(line, [line]);
    const waiting = run.steps.filter(({ state }) => state === 'waiting');
    for (const action of await listActions(client, run.id)) {
      const step = waiting.find(({ waitsFor }) => isAbout(waitsFor, action));
      sayOnce(`action ${action.id}`, toActionLines(action, step));
      if (step) said.add(toKey(step));
    }
    for (const step of waiting)
      if (step.waitsFor !== null)
        sayOnce(toKey(step), [`${toStep(step)} waits ${describeWait(step.waitsFor)}`]);
  };
}

/** Lists what the run and the turns below it wait for; empty for a key that may not read it. */
async function listActions(client: Client, turnId: string): Promise<PendingAction[]> {
  try {
    return (await client.pendingActions.list({ turnId })).items;
  } catch (error) {
    if (error instanceof HoldfastApiError && error.code === 'FORBIDDEN') return [];
    throw error;
  }
}

function toStep({ number, name }: Pick<RoutineStep, 'number' | 'name'>): string {
  return `${number}. ${name}`;
}

function toKey({ number, waitsFor }: RoutineStep): string {
  return `step ${number}, ${waitsFor}`;
}

/** A step waits for its own action, or for the turn of an agent that it has called and that waits for people. */
function isAbout(waitsFor: string | null, { id, turnId }: PendingAction): boolean {
  return waitsFor === `action ${id}` || waitsFor === `action ${turnId}`;
}

function toActionLines(action: PendingAction, step: RoutineStep | undefined): string[] {
  const { id, kind, tool, target, question } = action;
  const waits = `${step ? toStep(step) : `Turn ${action.turnId}`} waits`;
  const call = `${target ?? tool} ${toOneLine(JSON.stringify(action.arguments), 200)}`;
  if (kind === 'approval')
    return [
      `${waits} for an approval of ${call}: ${id}`,
      `  npx holdfast actions approve ${id}`,
      `  npx holdfast actions reject ${id}`,
    ];
  const asked =
    kind === 'question'
      ? `for an answer to ${JSON.stringify(toOneLine(question ?? tool, 200))}`
      : `for the result of ${call}, which runs in your own program`;
  return [`${waits} ${asked}: ${id}`, `  npx holdfast actions answer ${id} --answer <answer>`];
}

function describeWait(waitsFor: string): string {
  const [, kind, id = ''] = /^(run|action) (\S+)$/.exec(waitsFor) ?? [];
  if (kind === 'run') return `for the run ${id}: npx holdfast routine-runs watch ${id}`;
  if (kind === 'action') return 'for a decision: npx holdfast actions list';
  if (waitsFor === 'an event') return 'for an event, which POST /api/routine-events takes';
  return `until ${waitsFor}`;
}
