import type { Knex } from 'knex';
import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import {
  createImportedProviderRepository,
  type ImportedVersion,
  type ToolUse,
} from './imported-provider-repository.ts';
import { toActorRef, type Actor } from '../../domain/actor.ts';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import type { ImportChanges, ImportReport, ImportRequest, McpServerDraft } from './provider-import.ts';
import { newId } from '../../platform/lib/ids.ts';
import { toImportedProvider, type ImportedDefinition } from '../../engines/providers/imported-definition.ts';
import { createProviderEntry, type ProviderEntry } from '../../engines/providers/provider-entry.ts';
import type { DefinitionChanges } from './compile/compare-definitions.ts';
import type { ImportDependencies } from './import-dependencies.ts';
import type { CompareTask, CompiledImport, ImportAnswer, ImportTask } from './import-task.ts';
import { readDocumentText } from './read-document-text.ts';

const mostProviders = 100;

/** The result of an import; with `dryRun`, of one that stored nothing. */
export interface ImportOutcome {
  /** Null for a `server.json`, and when nothing was stored. */
  version: number | null;
  entry: ProviderEntry | null;
  report: ImportReport | null;
  /** Null when there was no provider of the name. */
  changes: ImportChanges | null;
  mcpServer: McpServerDraft | null;
}

interface ImportRun {
  request: ImportRequest;
  signal: AbortSignal;
}

/**
 * Makes a provider of the workspace from an OpenAPI document, or the next version of the one that has its name.
 * @throws HoldfastError `INVALID_INPUT` with the JSON pointer in the document; `CONFLICT` when tools of agents call operations
 * that would be missing, when credentials of connections would go to a new address, and when the workspace has 100
 */
export async function importProvider(
  dependencies: ImportDependencies,
  actor: Actor,
  { request, signal }: ImportRun,
): Promise<ImportOutcome> {
  const { workspaceId } = actor;
  const { document, url, dryRun = false, force = false, ...options } = request;
  const text = await readDocumentText({ document, url }, { fetch: dependencies.importFetch, signal });
  const task: ImportTask = { text, options: { ...options, documentUrl: url } };
  const compiled = await runTask(dependencies, workspaceId, task);
  if (compiled.kind === 'mcp_server') return { ...nothing, mcpServer: compiled.server };
  if (compiled.kind !== 'provider') throw new Error(`unexpected ${compiled.kind}`);
  const { head, definition, report } = compiled;
  refuseName(dependencies, head.name);
  const before = await dependencies.database.inWorkspace(workspaceId, (trx) => readBefore(trx, head.name));
  const differences = await compare(dependencies, workspaceId, { before, definition });
  const changes = differences && toChanges(differences, { uses: before.uses, provider: head.name });
  const conflict = findConflict(before, { compiled, differences, changes, force });
  const entry = toEntry(definition);
  if (dryRun) {
    const warned = conflict === null ? report : withWarning(report, conflict);
    return { ...nothing, entry, report: warned, changes };
  }
  if (conflict !== null) throw new HoldfastError('CONFLICT', conflict);
  const version = await dependencies.database.inWorkspace(workspaceId, (trx) =>
    store(trx, actor, { compiled, before }),
  );
  return { ...nothing, version, entry, report, changes };
}

const nothing: ImportOutcome = { version: null, entry: null, report: null, changes: null, mcpServer: null };

/** Runs a task in a thread. @throws HoldfastError `INVALID_INPUT` with the JSON pointer of what is wrong */
async function runTask(
  { runImportTask }: ImportDependencies,
  workspaceId: string,
  task: ImportTask | CompareTask,
): Promise<Exclude<ImportAnswer, { kind: 'bad_document' | 'bad_input' }>> {
  const outcome = await runImportTask(workspaceId, task);
  if ('refusal' in outcome)
    throw createInvalidInput([{ field: 'document', message: `cannot be imported: ${outcome.refusal}` }]);
  const { answer } = outcome;
  if (answer.kind === 'bad_input') throw createInvalidInput(answer.fields);
  if (answer.kind !== 'bad_document') return answer;
  const { pointer, message } = answer;
  const place = pointer === '' ? 'the document' : pointer;
  throw createInvalidInput([{ field: 'document', message: `cannot be imported at ${place}: ${message}` }]);
}

function refuseName({ isTakenName }: ImportDependencies, name: string): void {
  if (!isTakenName(name)) return;
  const message = `"${name}" is the name of a provider of the catalogue; give another name`;
  throw createInvalidInput([{ field: 'name', message }]);
}

interface Before {
  stored: ImportedVersion | null;
  uses: ToolUse[];
  connections: string[];
  count: number;
}

async function readBefore(trx: Knex, name: string): Promise<Before> {
  const providers = createImportedProviderRepository(trx);
  const found = await providers.findDefinition(name);
  const stored = found === 'unchanged' ? null : found;
  return {
    stored,
    uses: stored ? await providers.listToolUses(name) : [],
    connections: await providers.listConnectionNames(name),
    count: await providers.countImported(),
  };
}

async function compare(
  dependencies: ImportDependencies,
  workspaceId: string,
  { before: { stored }, definition }: { before: Before; definition: string },
): Promise<DefinitionChanges | null> {
  if (!stored) return null;
  const task: CompareTask = { before: stored.definition, after: definition };
  const answer = await runTask(dependencies, workspaceId, task);
  return answer.kind === 'changes' ? answer.changes : null;
}

function toChanges(
  { added, removed, changed }: DefinitionChanges,
  { uses, provider }: { uses: ToolUse[]; provider: string },
): ImportChanges {
  const names = [...removed, ...changed];
  const usedBy = uses.flatMap(({ agentId, agentName, toolName, operation }) =>
    names.some((name) => isSameOperation(name, { operation, provider }))
      ? [{ agentId, agent: agentName, tool: toolName, operation }]
      : [],
  );
  return { added, removed, changed, usedBy };
}

/** A tool names an operation by its own name, or by that of its tool. */
function isSameOperation(
  name: string,
  { operation, provider }: { operation: string; provider: string },
): boolean {
  return operation === name || operation === `${provider}_${name}`;
}

interface Comparison {
  compiled: CompiledImport;
  differences: DefinitionChanges | null;
  changes: ImportChanges | null;
  force: boolean;
}

/** Returns the reason why a document must not replace what is there; null when it may. */
function findConflict(before: Before, { compiled, differences, changes, force }: Comparison): string | null {
  const { name } = compiled.head;
  const { stored, connections, count } = before;
  if (!stored && count >= mostProviders)
    return `A workspace has at most ${mostProviders} imported providers.`;
  // Otherwise a caller who may import could send the credentials of a connection to a server of the caller's own.
  const isElsewhere = differences === null || differences.newAddresses.length > 0;
  if (connections.length > 0 && isElsewhere) {
    const where = differences ? `: ${differences.newAddresses.join(', ')}` : '';
    return (
      `The credentials of the ${describe('connection', connections)} would go to a new address${where}. ` +
      `Delete ${connections.length === 1 ? 'it' : 'them'} first, or import the document under another name than "${name}".`
    );
  }
  const missing = (changes?.usedBy ?? []).filter(({ operation }) =>
    changes?.removed.some((removed) => isSameOperation(removed, { operation, provider: name })),
  );
  if (missing.length === 0 || force) return null;
  const tools = missing.map(({ agent, tool }) => `${tool} of ${agent}`);
  return `The document lacks operations that agents call: ${tools.join(', ')}. Remove these tools first, or set "force".`;
}

function describe(noun: string, names: string[]): string {
  const list = names.map((name) => `"${name}"`).join(', ');
  return `${noun}${names.length === 1 ? '' : 's'} ${list}`;
}

function withWarning(report: ImportReport, message: string): ImportReport {
  const warnings = [{ pointer: '', message }, ...report.warnings];
  return { ...report, warnings, warningCount: report.warningCount + 1 };
}

/** The entry of an answer, whose inputs are shown and not checked. */
function toEntry(definition: string): ProviderEntry {
  const provider = toImportedProvider(JSON.parse(definition) as ImportedDefinition, () =>
    Promise.resolve([]),
  );
  return createProviderEntry(provider, 'imported');
}

interface ToStore {
  compiled: CompiledImport;
  before: Before;
}

/** Stores a version, unless another request has changed the provider since it was compared. */
async function store(trx: Knex, actor: Actor, { compiled, before }: ToStore): Promise<number> {
  const providers = createImportedProviderRepository(trx);
  const { head, definition } = compiled;
  const current = await providers.findForUpdate(head.name);
  if (current?.id !== before.stored?.id || current?.version !== before.stored?.version)
    throw new HoldfastError(
      'CONFLICT',
      `Another request has imported "${head.name}" meanwhile. Import it again.`,
    );
  const id = current?.id ?? newId();
  const version = (current?.version ?? 0) + 1;
  const payload = { name: head.name, version, operations: head.operationNames.length };
  if (current) await providers.replaceImported(id, { ...head, definition });
  else
    await providers.createImported({
      ...{ id, ...head, definition },
      createdBy: toActorRef(actor, undefined),
    });
  await createAuditLog(trx).record({ type: 'provider.imported', subjectId: id, payload });
  return version;
}
