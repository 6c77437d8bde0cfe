import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { HoldfastError } from '../domain/errors.ts';
import { jsonObjectSchema } from '../domain/tool.ts';
import type { WorkflowTarget, WorkflowTargets } from '../domain/workflow-tool.ts';
import { checkToolSchema } from './json-schema/tool-arguments.ts';

/** The workflow types that the operator offers to agents, by the id that tools name them by. */
export type WorkflowCatalogue = ReadonlyMap<string, WorkflowTarget>;

const idPattern = /^[A-Za-z0-9_.-]{1,64}$/;

const entrySchema = z.strictObject({
  workflowType: z.string().min(1).max(200),
  taskQueue: z.string().min(1).max(200),
  description: z.string().max(4000).default(''),
  /** What the workflow is started with: JSON Schema of one object. */
  input: jsonObjectSchema.default({ type: 'object' }),
  detach: z.boolean().default(false),
  timeoutMs: z.int().min(100).max(3_600_000).optional(),
});

const fileSchema = z.strictObject({ workflows: z.record(z.string(), z.unknown()) });

function fail(file: string, reason: string): never {
  throw new HoldfastError('INVALID_INPUT', `The workflow catalogue ${file} cannot be used: ${reason}.`);
}

function describeIssues(error: z.ZodError, prefix: string[]): string {
  return error.issues
    .map((issue) => `${[...prefix, ...issue.path].map(String).join('.') || 'the file'}: ${issue.message}`)
    .join('; ');
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail(file, `it is not JSON (${(error as Error).message})`);
  }
}

function toTarget(id: string, raw: unknown, file: string): WorkflowTarget {
  if (!idPattern.test(id)) {
    fail(file, `workflows: the name "${id}" may hold letters, digits, "_", "." and "-" only, 64 at most`);
  }
  const parsed = entrySchema.safeParse(raw);
  if (!parsed.success) return fail(file, describeIssues(parsed.error, ['workflows', id]));
  const { timeoutMs = null, ...entry } = parsed.data;
  const problem = checkToolSchema(entry.input);
  if (problem !== null) fail(file, `workflows.${id}.input: ${problem.replace(/\.$/, '')}`);
  return { id, ...entry, timeoutMs };
}

/**
 * Reads the text of a catalogue.
 * @throws HoldfastError INVALID_INPUT that names the file and the field
 */
export function parseWorkflowCatalogue(text: string, file: string): WorkflowCatalogue {
  const parsed = fileSchema.safeParse(parseJson(text, file));
  if (!parsed.success) return fail(file, describeIssues(parsed.error, []));
  const entries = Object.entries(parsed.data.workflows);
  return new Map(entries.map(([id, raw]) => [id, toTarget(id, raw, file)]));
}

/**
 * Reads the operator's catalogue of workflow types; without a file there are none.
 * @throws HoldfastError INVALID_INPUT that names the file and the field
 */
export async function loadWorkflowCatalogue(file: string | undefined): Promise<WorkflowCatalogue> {
  if (file === undefined) return new Map();
  const whole = path.resolve(file);
  const text = await readFile(whole, 'utf8').catch((error: unknown) =>
    fail(whole, `it cannot be read (${(error as Error).message})`),
  );
  return parseWorkflowCatalogue(text, whole);
}

/** What tools of type `workflow` start: the types of the operator's catalogue, the same for every workspace. */
export function createWorkflowTargets(catalogue: WorkflowCatalogue): WorkflowTargets {
  return {
    find: (_workspaceId, id) => Promise.resolve(catalogue.get(id) ?? null),
    list: () => Promise.resolve([...catalogue.values()]),
  };
}
