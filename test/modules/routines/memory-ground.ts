import type { JsonObject, JsonValue } from '../../../src/domain/json.ts';
import { createRoutineError } from '../../../src/domain/routine-error.ts';
import { evaluatePrograms } from '../../../src/modules/routines/expressions/evaluate-programs.ts';
import { schemaChecksOf } from '../../../src/engines/tools/json-schema/schema-checks.ts';
import type { CallStep, RoutineGround } from '../../../src/modules/routines/interpreter/ground.ts';
import { interpretRoutine } from '../../../src/modules/routines/interpreter/interpret-routine.ts';
import { createStepLog } from '../../../src/modules/routines/interpreter/step-log.ts';

class Cancelled extends Error {}

/** Runs work that a signal breaks off. */
type Scope = AbortSignal | undefined;

interface MemoryParts {
  call?: (step: CallStep) => JsonValue | Promise<JsonValue>;
  events?: JsonObject[];
}

/** A ground in the memory of a test, whose waits are real. Branches that lose are only no longer waited for. */
export function createMemoryGround({ call, events = [] }: MemoryParts = {}): RoutineGround {
  const lost = new AbortController();
  const scope: Scope = lost.signal;
  return {
    now: Date.now,
    random: () => 0.5,
    beforeStep: () => Promise.resolve(),
    evaluate: async (programs, dot, variables) => {
      const answer = await evaluatePrograms('test', { programs, dot, variables });
      if ('problem' in answer) throw createRoutineError('expression', answer.problem);
      return answer.values;
    },
    validate: async (schema, value) => {
      const wrapped = { type: 'object', properties: { value: schema } };
      const [wrong] = await schemaChecksOf('test').checkSchema(wrapped, { value });
      return wrong ? `${wrong.field} ${wrong.message}` : null;
    },
    sleepUntil: (at) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, Math.max(0, at - Date.now()));
        timer.unref();
        scope.addEventListener('abort', () => reject(new Cancelled()));
      }),
    call: async (step) => {
      if (!call) throw createRoutineError('configuration', `there is no tool ${step.call}`);
      return call(step);
    },
    emit: (_, event) => {
      events.push(event);
      return Promise.resolve(event);
    },
    listen: async (state, take) => {
      for (;;) {
        const at = Number(state.position ?? 0);
        const event = events[at];
        if (event) {
          state.position = at + 1;
          if (await take(event)) return;
        } else {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }
    },
    runRoutine: ({ input }) => Promise.resolve(input),
    all: (branches) => Promise.all(branches.map((run) => run())),
    race: (branches) => Promise.race(branches.map((run) => run())),
    until: (at, run) =>
      Promise.race([
        run().then((result) => ({ result })),
        new Promise<null>((resolve) => setTimeout(() => resolve(null), Math.max(0, at - Date.now()))),
      ]),
  };
}

/** Interprets a document in memory, and answers its output and its steps. */
export async function playDocument(document: JsonObject, input: JsonValue, ground = createMemoryGround()) {
  const steps = createStepLog({ count: 0, shown: [], now: Date.now });
  const progress = { context: null as JsonValue, startedAt: Date.now(), root: {} as JsonObject };
  const output = await interpretRoutine({ runId: 'run', document, input, ground, progress, steps });
  return { output, steps: steps.shown(), context: progress.context };
}
