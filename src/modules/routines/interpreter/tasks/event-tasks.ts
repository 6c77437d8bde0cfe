import { isJsonObject, type JsonObject, type JsonValue } from '../../../../domain/json.ts';
import { createRoutineError } from '../../../../domain/routine-error.ts';
import { findExpression } from '../../../../domain/simple-expression.ts';
import { evaluate, fillTemplate } from '../expressions.ts';
import {
  isTrue,
  objectOf,
  partOf,
  type Interpretation,
  type TaskResult,
  type TaskScope,
} from '../interpretation.ts';

/** Emits an event to the runs of the workspace that listen, and answers it. */
export async function runEmitTask(routine: Interpretation, scope: TaskScope): Promise<TaskResult> {
  const { event } = objectOf(scope.task.definition.emit);
  const filled = objectOf(await fillTemplate(routine, objectOf(event).with ?? null, { scope }));
  const { type, source } = filled;
  if (typeof type !== 'string' || typeof source !== 'string')
    throw createRoutineError('validation', 'an event needs the texts "type" and "source"');
  return { output: await routine.ground.emit(scope.step, { ...filled, type, source }) };
}

/** Waits for events that other runs or programs emit after the task has begun, and answers them in their order. */
export async function runListenTask(
  routine: Interpretation,
  scope: TaskScope,
  state: JsonObject,
): Promise<TaskResult> {
  const { to, read } = objectOf(scope.task.definition.listen);
  const { one, any, all, until } = objectOf(to);
  const filters = (Array.isArray(any) ? any : Array.isArray(all) ? all : [one ?? {}]).map(objectOf);
  const taken = Array.isArray(state.taken) ? state.taken : [];
  state.taken = taken;
  const missing = new Set(
    Array.isArray(state.missing) ? state.missing.map(Number) : filters.map((_, index) => index),
  );
  routine.steps.waits(scope.step, 'an event');
  await routine.ground.listen(state, async (event) => {
    const index = await findFilter(routine, scope, { event, filters, state, missing: all ? missing : null });
    if (index === null) return false;
    taken.push(read === 'envelope' ? event : (event.data ?? null));
    missing.delete(index);
    state.missing = [...missing];
    if (Array.isArray(all)) return missing.size === 0;
    if (!Array.isArray(any) || typeof until !== 'string') return true;
    return isTrue(await evaluate(routine, until, { scope, dot: taken }));
  });
  return { output: taken };
}

interface Filtering {
  event: JsonObject;
  filters: JsonObject[];
  state: JsonObject;
  /** The filters that have no event yet; null when each may have many. */
  missing: Set<number> | null;
}

/** Returns the first filter that takes an event; null for none. An empty list of filters takes every event. */
async function findFilter(
  routine: Interpretation,
  scope: TaskScope,
  { event, filters, state, missing }: Filtering,
): Promise<number | null> {
  if (filters.length === 0) return 0;
  for (const [index, filter] of filters.entries()) {
    if (missing && !missing.has(index)) continue;
    if (!(await fits(routine, scope, { event, wanted: objectOf(filter.with) }))) continue;
    const known = partOf(partOf(state, 'correlations'), String(index));
    if (await correlates(routine, scope, { event, correlate: objectOf(filter.correlate), known }))
      return index;
  }
  return null;
}

/** An expression sees the attribute as `.`, and answers true or the value that is expected. */
async function fits(
  routine: Interpretation,
  scope: TaskScope,
  { event, wanted }: { event: JsonObject; wanted: JsonObject },
): Promise<boolean> {
  for (const [name, expected] of Object.entries(wanted)) {
    const attribute = event[name] ?? null;
    const program = typeof expected === 'string' ? findExpression(expected) : null;
    const value =
      program === null
        ? await fillTemplate(routine, expected, { scope })
        : await evaluate(routine, program, { scope, dot: attribute });
    const isMet = program !== null && value === true;
    if (!isMet && !isWithin(value, attribute) && !(await matches(routine, scope, { value, attribute })))
      return false;
  }
  return true;
}

/** A text with one of these is a regular expression as well. */
const patternSign = /[\\^$*+?()[\]{}|]/;

/** Whether a text is a regular expression that the whole attribute matches. jq decides, within the time of an expression. */
async function matches(
  routine: Interpretation,
  scope: TaskScope,
  { value, attribute }: { value: JsonValue; attribute: JsonValue },
): Promise<boolean> {
  if (typeof value !== 'string' || typeof attribute !== 'string' || !patternSign.test(value)) return false;
  const more = { pattern: `^(?:${value})$` };
  return isTrue(await evaluate(routine, 'test($pattern)', { scope, dot: attribute, more }));
}

/** Whether a value has everything of an expected one; an object may have more. */
function isWithin(expected: JsonValue, value: JsonValue): boolean {
  if (!isJsonObject(expected)) return JSON.stringify(expected) === JSON.stringify(value);
  return (
    isJsonObject(value) &&
    Object.entries(expected).every(([name, field]) => isWithin(field, value[name] ?? null))
  );
}

/** Without an expectation the first value that is found is expected from then on. */
async function correlates(
  routine: Interpretation,
  scope: TaskScope,
  { event, correlate, known }: { event: JsonObject; correlate: JsonObject; known: JsonObject },
): Promise<boolean> {
  const found: JsonObject = {};
  for (const [name, correlation] of Object.entries(correlate)) {
    const { from, expect } = objectOf(correlation);
    const value = await evaluate(routine, typeof from === 'string' ? from : '.', { scope, dot: event });
    const expected =
      expect === undefined ? (known[name] ?? value) : await fillTemplate(routine, expect, { scope });
    if (JSON.stringify(expected) !== JSON.stringify(value)) return false;
    found[name] = value;
  }
  Object.assign(known, found);
  return true;
}
