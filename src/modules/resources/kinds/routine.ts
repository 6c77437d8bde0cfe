import { z } from 'zod';
import { routineKinds } from '../stores/routine-view-repository.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { jsonObjectSchema } from '../../../domain/json-value.ts';
import { toChangeSchema, type ResourceKind } from '../resource-kind.ts';
import { createRoutineStore } from '../stores/routine-store.ts';

/** A name as the standard takes it. */
const label = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'expected small letters, digits and dashes');

const agentId = z.uuid().describe('The agent that the routine acts as');

const documentFields = {
  agentId,
  document: jsonObjectSchema.describe(
    'The document of the CNCF Serverless Workflow standard 1.0: "document" with dsl, namespace, name and version, and "do" ' +
      'with several tasks',
  ),
};

const stepFields = {
  agentId,
  namespace: label.default('default'),
  name: label,
  description: z.string().max(4_000).default(''),
  task: jsonObjectSchema.describe('One task of the standard, such as { "call": "http", "with": { … } }'),
};

const filters = z.strictObject({
  agentId: z.uuid().optional().describe('Only routines that act as this agent'),
}) as unknown as z.ZodType<JsonObject>;

const kinds: Record<'many' | 'one', { description: string; fields: Record<string, z.ZodType> }> = {
  many: { description: 'A procedure of several tasks that agents start.', fields: documentFields },
  one: { description: 'A routine with one task.', fields: stepFields },
};

function toKind(which: 'many' | 'one'): ResourceKind {
  const { description, fields } = kinds[which];
  const kind = routineKinds[which];
  return {
    ...{ kind, description, filters },
    attributes: z.strictObject(fields) as unknown as z.ZodType<JsonObject>,
    change: toChangeSchema(fields),
    textOf: (attributes) => JSON.stringify(attributes.document ?? attributes.task ?? null),
    rights: { read: 'routines.read', write: 'routines.write' },
    createStore: (dependencies) => createRoutineStore(dependencies, kind),
  };
}

/** Routines: a view of `/api/routines`. */
export const routine = toKind('many');

/** Routines with one task, without the document around it. */
export const singleStepRoutine = toKind('one');
