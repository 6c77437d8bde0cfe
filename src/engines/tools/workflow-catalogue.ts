import { resolve } from 'node:path';
import { z } from 'zod';
import { jsonObjectSchema } from '../../domain/json-value.ts';
import type { WorkflowTarget, WorkflowTargets } from '../../domain/workflow-target.ts';
import {
  failCatalogue,
  type CatalogueFile,
  parseCatalogueEntry,
  parseCatalogueFile,
  readCatalogueFile,
} from '../../platform/lib/catalogue-file.ts';
import { checkToolSchema } from './json-schema/tool-arguments.ts';

/** The workflow types that the operator offers to agents, by the id that tools name them by. */
export type WorkflowCatalogue = ReadonlyMap<string, WorkflowTarget>;

const idPattern = /^[A-Za-z0-9_.-]{1,64}$/;

const entrySchema = z.strictObject({
  workflowType: z.string().min(1).max(200),
  taskQueue: z.string().min(1).max(200),
  description: z.string().max(4000).default(''),
  /** JSON Schema of the object that the workflow is started with. */
  input: jsonObjectSchema.default({ type: 'object' }),
  detach: z.boolean().default(false),
  timeoutMs: z.int().min(100).max(3_600_000).optional(),
});

const fileSchema = z.strictObject({ workflows: z.record(z.string(), z.unknown()) });

function toFile(path: string): CatalogueFile {
  return { kind: 'workflow', path };
}

function toTarget(id: string, raw: unknown, file: CatalogueFile): WorkflowTarget {
  if (!idPattern.test(id)) {
    failCatalogue(
      file,
      `workflows: the name "${id}" may hold letters, digits, "_", "." and "-" only, 64 at most`,
    );
  }
  const field = ['workflows', id];
  const { timeoutMs = null, ...entry } = parseCatalogueEntry(file, raw, { schema: entrySchema, field });
  const problem = checkToolSchema(entry.input);
  if (problem !== null) failCatalogue(file, `workflows.${id}.input: ${problem.replace(/\.$/, '')}`);
  return { id, ...entry, timeoutMs };
}

/**
 * Reads the text of a catalogue.
 * @throws HoldfastError INVALID_INPUT that names the file and the field
 */
export function parseWorkflowCatalogue(text: string, path: string): WorkflowCatalogue {
  const file = toFile(path);
  const entries = Object.entries(parseCatalogueFile(file, text, fileSchema).workflows);
  return new Map(entries.map(([id, raw]) => [id, toTarget(id, raw, file)]));
}

/**
 * Reads the operator's catalogue of workflow types; without a file there are none.
 * @throws HoldfastError INVALID_INPUT that names the file and the field
 */
export async function loadWorkflowCatalogue(path: string | undefined): Promise<WorkflowCatalogue> {
  if (path === undefined) return new Map();
  const absolute = resolve(path);
  return parseWorkflowCatalogue(await readCatalogueFile(toFile(absolute)), absolute);
}

/** Offers the types of the operator's catalogue to tools of type `workflow`, the same ones in every workspace. */
export function createWorkflowTargets(catalogue: WorkflowCatalogue): WorkflowTargets {
  return {
    find: (_workspaceId, id) => Promise.resolve(catalogue.get(id) ?? null),
    list: () => Promise.resolve([...catalogue.values()]),
  };
}
