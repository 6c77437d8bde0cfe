import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import type { RoutineStep } from '../../../domain/routine.ts';
import { toPreview } from '../../../domain/text.ts';

const previewCharacters = 200;

/** The maximum number of ended steps that the workflow of a run shows; all of them are stored. */
const mostShown = 50;

/** The steps of a run: those that run, the last ones that ended, and those that are not stored yet. */
export interface StepLog {
  begin: (task: Pick<RoutineStep, 'path' | 'name' | 'kind'>) => number;
  end: (number: number, output: JsonValue) => void;
  fail: (number: number, error: JsonObject | null) => void;
  skip: (task: Pick<RoutineStep, 'path' | 'name' | 'kind'>) => void;
  /** Ends the steps that have not ended, since their run has ended. */
  cancelOpen: () => void;
  /** Notes what a step waits for; null when it continues. */
  waits: (number: number, waitsFor: string | null) => void;
  shown: () => RoutineStep[];
  /** The number of the last step that began. */
  count: () => number;
  /** Takes the steps that have changed since they were taken. */
  takeUnstored: () => RoutineStep[];
  unstored: () => number;
}

interface LogOptions {
  count: number;
  shown: RoutineStep[];
  now: () => number;
}

/** Keeps the steps of a run. */
export function createStepLog({ count, shown, now }: LogOptions): StepLog {
  const steps = new Map(shown.map((step) => [step.number, step]));
  const changed = new Set<RoutineStep>();
  let last = count;

  function begin(task: Pick<RoutineStep, 'path' | 'name' | 'kind'>): RoutineStep {
    last += 1;
    const step: RoutineStep = {
      ...{ number: last, ...task, state: 'running', startedAt: new Date(now()).toISOString() },
      ...{ endedAt: null, outputPreview: null, error: null, waitsFor: null },
    };
    steps.set(step.number, step);
    return step;
  }

  function finish(number: number, end: Partial<RoutineStep>): void {
    const step = steps.get(number);
    if (!step) return;
    Object.assign(step, { waitsFor: null, endedAt: new Date(now()).toISOString(), ...end });
    changed.add(step);
    const ended = [...steps.values()].filter(({ endedAt }) => endedAt !== null);
    for (const old of ended.slice(0, Math.max(0, ended.length - mostShown))) steps.delete(old.number);
  }

  return {
    begin: (task) => begin(task).number,
    end: (number, output) => finish(number, { state: 'completed', outputPreview: toShown(output) }),
    fail: (number, error) => finish(number, { state: error ? 'faulted' : 'cancelled', error }),
    skip: (task) => finish(begin(task).number, { state: 'skipped' }),
    cancelOpen: () => {
      for (const { number, endedAt } of [...steps.values()])
        if (endedAt === null) finish(number, { state: 'cancelled' });
    },
    waits: (number, waitsFor) => {
      const step = steps.get(number);
      if (step) Object.assign(step, { state: waitsFor === null ? 'running' : 'waiting', waitsFor });
    },
    shown: () => [...steps.values()],
    count: () => last,
    takeUnstored: () => {
      const taken = [...changed];
      changed.clear();
      return taken;
    },
    unstored: () => changed.size,
  };
}

function toShown(output: JsonValue): string {
  return toPreview(typeof output === 'string' ? output : JSON.stringify(output), previewCharacters);
}
