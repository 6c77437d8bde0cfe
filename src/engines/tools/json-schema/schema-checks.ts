import { isDeeperThan, type JsonObject } from '../../../domain/json.ts';
import type { PolicyChecks } from '../../rules/tool-policy.ts';
import { toJsonSize, toSchemaCost, weighPattern } from './schema-cost.ts';
import { runSchemaTask, type SchemaAnswers, type SchemaTask } from './schema-task.ts';
import { createSchemaThreads, type SchemaOutcome, type SchemaThreads } from './schema-threads.ts';

/**
 * Checks schemas, patterns, and values against them, for one workspace. What exceeds the limits of a check does not pass. Each
 * check throws HoldfastError `SERVICE_UNAVAILABLE` when there was no time for it, which says nothing about the value.
 */
export interface SchemaChecks extends PolicyChecks {
  /** Says in a sentence why no value can be held to a schema; null when it can be used. */
  findSchemaProblem: (schema: JsonObject) => Promise<string | null>;
  /**
   * As `findSchemaProblem`, for a schema of a program that checks values again, such as a tool: its regular expressions
   * may be such that Holdfast does not match.
   */
  findForeignProblem: (schema: JsonObject) => Promise<string | null>;
  /**
   * Checks a value with a schema of a server: `problem` says why the schema cannot be used, and `refusal` which limit the
   * check exceeds.
   */
  checkForeign: (schema: JsonObject, value: JsonObject) => Promise<SchemaAnswers['value']>;
  /** Returns the reason why a pattern cannot be matched in bounded time; null when it can. */
  findPatternProblem: (pattern: string) => Promise<string | null>;
}

/** The size of a schema that is compiled here, in values and characters: about 3 ms. */
const maxSchemaSize = 8_000;
const maxSchemaSteps = 300;

/** The work that is done here, as values of the schema times values and characters of the data: about 5 ms. */
const maxStepsHere = 100_000;

/** The instructions of a pattern times characters that are matched here: about 5 ms. */
const maxMatchingHere = 500_000;

/** Builds the checks of a workspace. Small work is done where it is asked for, and all other work in a thread. */
export function createSchemaChecks(threads: SchemaThreads): (workspaceId: string) => SchemaChecks {
  return (workspaceId) => {
    const run = <Task extends SchemaTask>(task: Task): Promise<SchemaOutcome<Task>> | SchemaOutcome<Task> =>
      isSmall(task) ? { answer: runSchemaTask(task) } : threads(workspaceId, task);
    const findProblem = async (schema: JsonObject, isForeign: boolean) => {
      const outcome = await run({ kind: 'schema', schema, isForeign });
      return 'answer' in outcome ? outcome.answer : `The schema cannot be checked: ${outcome.refusal}.`;
    };
    return {
      findSchemaProblem: (schema) => findProblem(schema, false),
      findForeignProblem: (schema) => findProblem(schema, true),
      checkSchema: async (schema, value) => {
        const check = toAnswer(await run({ kind: 'value', schema, value, isForeign: false }));
        if ('fields' in check) return check.fields;
        const reason = 'refusal' in check ? check.refusal : check.problem;
        return [{ field: '', message: `cannot be checked: ${reason}` }];
      },
      matchesSchema: async (schema, value) => {
        const check = toAnswer(await run({ kind: 'value', schema, value, isForeign: false }));
        return 'fields' in check ? check.fields.length === 0 : null;
      },
      checkForeign: async (schema, value) =>
        toAnswer(await run({ kind: 'value', schema, value, isForeign: true })),
      findPatternProblem: async (pattern) => {
        const outcome = await run({ kind: 'pattern', pattern });
        return 'answer' in outcome ? outcome.answer : `checking it was given up, because ${outcome.refusal}`;
      },
      matchesWhole: async (pattern, texts) => {
        const outcome = await run({ kind: 'texts', pattern, texts });
        return 'answer' in outcome && outcome.answer;
      },
    };
  };
}

/** The checks of this process, with one pool of threads for all workspaces. */
export const schemaChecksOf = createSchemaChecks(createSchemaThreads());

type ValueTask = SchemaTask & { kind: 'value' };

function toAnswer(outcome: SchemaOutcome<ValueTask>): SchemaAnswers['value'] {
  return 'answer' in outcome ? outcome.answer : outcome;
}

function isSmall(task: SchemaTask): boolean {
  // Whole schemas and patterns are checked where agents are configured, which has time for a thread.
  if (task.kind === 'value') return isSmallValue(task);
  if (task.kind !== 'texts') return false;
  const characters = task.texts.reduce((sum, text) => sum + text.length, 0);
  return weighPattern(task.pattern) * characters <= maxMatchingHere;
}

function isSmallValue({ schema, value }: ValueTask): boolean {
  if (toJsonSize(schema, maxSchemaSize) > maxSchemaSize || isDeeperThan(schema, 60)) return false;
  const { steps, patterns, isOpen, comparesItems } = toSchemaCost(schema);
  if (isOpen || steps > maxSchemaSteps) return false;
  const size = toJsonSize(value, maxStepsHere);
  return (steps + patterns) * size * (comparesItems ? size : 1) <= maxStepsHere;
}
