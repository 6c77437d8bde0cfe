import {
  evaluateSimple,
  findExpression,
  findVariables,
  toExpression,
} from '../../../domain/simple-expression.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { findSecretReference } from '../../../domain/secret-reference.ts';
import type { Interpretation, TaskScope } from './interpretation.ts';

interface Evaluation {
  scope: TaskScope;
  /** The value that `.` is. @default the input of the task */
  dot?: JsonValue;
  /** More variables, such as `output`. */
  more?: JsonObject;
}

/** Evaluates one expression, with or without `${ }`. @throws RoutineError of type `expression` */
export async function evaluate(
  routine: Interpretation,
  expression: string,
  evaluation: Evaluation,
): Promise<JsonValue> {
  const [value = null] = await evaluateAll(routine, [toExpression(expression)], evaluation);
  return value;
}

/** Replaces all texts of a value that are expressions, `${ … }`, by their values. @throws as `evaluate` */
export async function fillTemplate(
  routine: Interpretation,
  template: JsonValue,
  evaluation: Evaluation,
): Promise<JsonValue> {
  const programs: string[] = [];
  listPrograms(template, programs);
  if (programs.length === 0) return template;
  const values = await evaluateAll(routine, programs, evaluation);
  return fill(template, values.values());
}

async function evaluateAll(
  routine: Interpretation,
  programs: string[],
  evaluation: Evaluation,
): Promise<JsonValue[]> {
  const { scope, dot = scope.input } = evaluation;
  const variables = toVariables(routine, findVariables(programs), evaluation);
  const simple = programs.map((program) => evaluateSimple(program, dot, variables));
  const hard = programs.filter((_, index) => simple[index] === null);
  const found = hard.length === 0 ? [] : await routine.ground.evaluate(hard, dot, variables);
  const rest = found.values();
  return simple.map((one) => (one ? one.value : (rest.next().value ?? null)));
}

/** The variables of the standard, and those of the tasks around; only those that are named, since all of them are large. */
function toVariables(
  routine: Interpretation,
  names: Set<string>,
  { scope, more = {} }: Evaluation,
): JsonObject {
  const { document, progress, rawInput, runId } = routine;
  const { task } = scope;
  const known: Record<string, () => JsonValue> = {
    context: () => progress.context,
    input: () => scope.input,
    workflow: () => ({
      id: runId,
      definition: document,
      input: rawInput,
      startedAt: toDateTime(progress.startedAt),
    }),
    task: () => ({
      name: task.name,
      reference: task.path,
      definition: task.definition,
      input: scope.rawInput ?? scope.input,
      ...(scope.rawOutput === undefined ? {} : { output: scope.rawOutput }),
      startedAt: toDateTime(scope.startedAt),
    }),
    runtime: () => ({ name: 'holdfast', version: '1', metadata: {} }),
  };
  const standard = Object.entries(known).filter(([name]) => names.has(name));
  const own = Object.entries({ ...scope.variables, ...more }).filter(([name]) => names.has(name));
  return Object.fromEntries([...standard.map(([name, read]) => [name, read()] as const), ...own]);
}

function toDateTime(ms: number): JsonObject {
  const seconds = Math.floor(ms / 1000);
  return { iso8601: new Date(ms).toISOString(), epoch: { seconds, milliseconds: ms } };
}

/** A text that stands for a secret stays as it is: its value never enters a workflow. */
function findProgram(text: string): string | null {
  return findSecretReference(text) ? null : findExpression(text);
}

function listPrograms(template: JsonValue, programs: string[]): void {
  if (typeof template === 'string') {
    const program = findProgram(template);
    if (program !== null) programs.push(program);
  } else if (Array.isArray(template)) {
    for (const item of template) listPrograms(item, programs);
  } else if (isJsonObject(template)) {
    for (const field of Object.values(template)) listPrograms(field, programs);
  }
}

/** Visits the texts in the order of `listPrograms`. */
function fill(template: JsonValue, values: Iterator<JsonValue, undefined>): JsonValue {
  if (typeof template === 'string')
    return findProgram(template) === null ? template : (values.next().value ?? null);
  if (Array.isArray(template)) return template.map((item) => fill(item, values));
  if (!isJsonObject(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([name, field]) => [name, fill(field, values)]));
}
