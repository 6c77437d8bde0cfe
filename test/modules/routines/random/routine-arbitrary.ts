import fc from 'fast-check';
import type { JsonObject } from '../../../../src/domain/json.ts';

/** A command that a run gets a while after its start. */
interface RandomCommand {
  name: 'pause' | 'stop';
  mode: 'graceful' | 'now';
  afterMs: number;
}

/** A document made at random. */
export interface RandomRoutine {
  tasks: JsonObject[];
  /** True when the result of the document does not depend on the order in which its branches run. */
  isCalm: boolean;
  command: RandomCommand | null;
}

/** The name and version of the routine that documents run. */
export const childRoutine = { namespace: 'test', name: 'random-child', version: '1.0.0' };

type Task = fc.Arbitrary<JsonObject>;

/** Jq programs that answer a number for any input. */
const programs = ['[.. | numbers] | add // 0 | . % 97', '[.. | numbers] | length', 'tojson | length'];
const total = fc.constantFrom(...programs).map((program) => `\${ ${program} }`);
const milliseconds = (max: number) => fc.integer({ min: 1, max }).map((ms) => ({ milliseconds: ms }));
const eventType = fc.constantFrom('random.one', 'random.two');

const plain: Task = fc.oneof(
  fc.record({ n: total, m: fc.nat(9) }).map((set) => ({ set })),
  fc.nat(9).map((n) => ({ set: { n, all: '${ . }' } })),
  milliseconds(60).map((wait) => ({ wait })),
  fc.constant({ call: 'calculate', with: { expression: '6 * 7' } }),
);

const schema = { type: 'object', required: ['n'] };
const slow = '${ last(range(4e6)) }';

/** Tasks that may fail, take long, or depend on time and on other runs. */
const restless: Task = fc.oneof(
  { weight: 4, arbitrary: plain },
  total.map((title) => ({ raise: { error: { type: 'https://example.com/raised', status: 400, title } } })),
  fc.constant({ set: { n: '${ .n + 1 }' }, output: { schema: { document: schema } } }),
  fc.constant({ set: { n: '${ error("no") }' } }),
  milliseconds(300).map((after) => ({ set: { n: slow }, timeout: { after } })),
  eventType.map((type) => ({
    emit: { event: { with: { type, source: 'https://test', data: '${ tojson | length }' } } },
  })),
  fc.tuple(eventType, milliseconds(300)).map(([type, after]) => ({
    listen: { to: { one: { with: { type: `\${ . == "${type}" }` } } } },
    timeout: { after },
  })),
  fc.boolean().map((awaits) => ({
    run: { workflow: { ...childRoutine, input: { n: '${ tojson | length }' } }, await: awaits },
  })),
  total.map((as) => ({ set: { n: 1 }, export: { as: { kept: as } } })),
);

function listOf(task: Task, length: { min: number; max: number }): fc.Arbitrary<JsonObject[]> {
  return fc
    .array(task, { minLength: length.min, maxLength: length.max })
    .map((tasks) => tasks.map((definition, index) => ({ [`t${index}`]: definition })));
}

const few = { min: 1, max: 3 };

function nest(task: Task, isCalm: boolean): Task {
  const list = listOf(task, few);
  const compete = isCalm ? fc.constant(false) : fc.boolean();
  const nested: Task = fc.oneof(
    list.map((tasks) => ({ do: tasks })),
    list.map((tasks) => ({ for: { each: 'item', in: '${ [range(2)] }' }, do: tasks })),
    fc
      .tuple(listOf(task, { min: 2, max: 4 }), compete)
      .map(([branches, race]) => ({ fork: { branches, compete: race } })),
    total.map((when) => ({ switch: [{ high: { when, then: 'continue' } }, { other: { then: 'exit' } }] })),
    fc.tuple(list, list, fc.nat(2)).map(([tried, caught, count]) => ({
      try: tried,
      catch: {
        ...(count > 0
          ? { retry: { delay: { milliseconds: 20 }, limit: { attempt: { count } } } }
          : { when: '${ ($error | tojson | length) > 0 }' }),
        do: caught,
      },
    })),
  );
  if (isCalm) return nested;
  return fc.oneof(
    { weight: 3, arbitrary: nested },
    fc.tuple(nested, milliseconds(300)).map(([one, after]) => ({ ...one, timeout: { after } })),
    fc.tuple(nested, total).map(([one, as]) => ({ ...one, input: { from: { n: as } } })),
    fc.tuple(nested, total).map(([one, as]) => ({ ...one, output: { as: { n: as } } })),
  );
}

function tasksOf(isCalm: boolean): fc.Arbitrary<JsonObject[]> {
  const leaf = isCalm ? plain : restless;
  const once = fc.oneof(leaf, nest(leaf, isCalm));
  return listOf(fc.oneof(leaf, { weight: 3, arbitrary: nest(once, isCalm) }), { min: 1, max: 4 });
}

const command = fc.record<RandomCommand>({
  name: fc.constantFrom('pause', 'stop'),
  mode: fc.constantFrom('graceful', 'now'),
  afterMs: fc.nat(300),
});

/** Documents with loops, forks, races, errors, retries, timeouts, events and runs of another routine, nested in each other. */
export const randomRoutines: fc.Arbitrary<RandomRoutine> = fc.oneof(
  tasksOf(true).map((tasks) => ({ tasks, isCalm: true, command: null })),
  {
    weight: 4,
    arbitrary: fc.record({
      tasks: tasksOf(false),
      isCalm: fc.constant(false),
      command: fc.option(command, { freq: 3 }),
    }),
  },
);
