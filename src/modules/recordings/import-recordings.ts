import { createImportRepository } from './import-repository.ts';
import type { ImportedVersion, ImportState } from './imported-rows.ts';
import { toRowScope } from '../../domain/row-scope.ts';
import { isDataError } from '../../platform/database/data-error.ts';
import type { Actor } from '../../domain/actor.ts';
import { authorize } from '../../domain/authorize.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { ImportReport, Recording } from '../../domain/recording.ts';
import { toOwnerKey } from '../../domain/person.ts';
import { isDatabaseOutage } from '../../platform/lib/database-outage.ts';
import type { RecordingDependencies } from './export-recordings.ts';
import { parseRecording } from './parse-recording.ts';
import { readLines } from './read-lines.ts';
import { listNamed } from './to-imported-compactions.ts';
import { toImportedTurn } from './to-imported-turn.ts';
import { toImportedVersion } from './to-imported-version.ts';

interface ImportRequest {
  lines: AsyncIterable<Uint8Array>;
  /** The agent that the turns belong to. @default an imported one for each of the file */
  agentId?: string | undefined;
  /** Returns true when no line but the first may begin. @default after `importTimeMs` */
  isOver?: () => boolean;
}

/** How long an import takes lines, in milliseconds: the server gives a request 60 seconds. */
const importTimeMs = 45_000;

const mostErrors = 100;

/**
 * Stores the turns of a file as settled ones, each in its own transaction. A line that was stored before is skipped,
 * so that an import that was cut off can be made again.
 * @throws HoldfastError `NOT_FOUND` for an agent that is not there, `FORBIDDEN` for a key that may not create agents,
 * `SERVICE_UNAVAILABLE` with the report so far when the database becomes unreachable
 */
export async function importRecordings(
  dependencies: RecordingDependencies,
  actor: Actor,
  { lines, agentId, isOver = createDeadline(importTimeMs) }: ImportRequest,
): Promise<ImportReport> {
  const chosen = agentId === undefined ? null : await getAgent(dependencies, actor, agentId);
  if (!chosen) authorize(actor, 'agents.write', 'an import without "agentId"');
  const report = createReport();
  for await (const line of readLines(lines)) {
    if (report.lines > 0 && isOver()) {
      report.timedOut = true;
      break;
    }
    const parsed = 'problem' in line ? line : parseRecording(line.text);
    const end =
      'problem' in parsed
        ? parsed.problem
        : await storeRecording(dependencies, actor, { ...parsed, chosen, report }).catch((error: unknown) =>
            toRefusal(error, report),
          );
    report.lines = line.number;
    if (end === 'imported' || end === 'skipped') report[end] += 1;
    else {
      report.refused += 1;
      if (report.errors.length < mostErrors) report.errors.push({ line: line.number, message: end });
    }
  }
  return report;
}

function createDeadline(timeMs: number): () => boolean {
  const endsAt = Date.now() + timeMs;
  return () => Date.now() >= endsAt;
}

function createReport(): ImportReport {
  return { lines: 0, timedOut: false, imported: 0, skipped: 0, refused: 0, errors: [], agents: [] };
}

type ChosenVersion = { id: string; agentId: string; name: string };

async function getAgent(
  { database }: RecordingDependencies,
  { workspaceId }: Actor,
  agentId: string,
): Promise<ChosenVersion> {
  const found = await database.transact(workspaceId, (query) =>
    createImportRepository(query).findCurrentVersion(agentId),
  );
  if (found) return found;
  throw new HoldfastError('NOT_FOUND', `There is no agent ${agentId}.`);
}

interface LineToStore {
  recording: Recording;
  chosen: ChosenVersion | null;
  report: ImportReport;
}

/** Returns `imported`, `skipped`, or the reason why a line is refused. */
async function storeRecording(
  { database }: RecordingDependencies,
  actor: Actor,
  { recording, chosen, report }: LineToStore,
): Promise<string> {
  const { workspaceId } = actor;
  const person = toOwnerKey(actor.actsFor);
  const turn = toImportedTurn(workspaceId, recording);
  const { title, tags, createdAt } = recording.conversation;
  const imported: ImportedVersion = toImportedVersion(workspaceId, recording);
  return database.transact(toRowScope(actor), async (query) => {
    const repository = createImportRepository(query);
    const version = chosen ?? (await repository.storeVersion(imported));
    if (!version) return 'the imported agent of this turn was deleted';
    const { conversationId } = turn;
    const opened = await repository.openConversation(
      { conversationId, agentId: version.agentId, title, tags, createdAt, person },
      turn.turnId,
    );
    if (!opened) return 'the conversation belongs to another person';
    if (opened.hasTurn) return 'skipped';
    const problem = findProblem(opened, turn.ordinal);
    // The transaction is not rolled back: a conversation that was inserted for a refused turn had no problem.
    if (problem !== null) return problem;
    if (turn.compactions.length > 0) {
      const missing = await repository.findMissing(conversationId, listNamed(turn.compactions));
      if (missing !== null) return 'compactions: expected turns and summaries of the conversation before';
    }
    await repository.storeTurn(turn, version.id);
    if (!report.agents.some(({ id }) => id === version.agentId))
      report.agents.push({ id: version.agentId, name: version.name });
    return 'imported';
  });
}

/** Returns the reason why the database refused the values of a line, such as a year that it does not know. */
function toRefusal(error: unknown, report: ImportReport): string {
  if (isDataError(error)) return `expected values that can be stored: ${error.message}`.slice(0, 300);
  if (!isDatabaseOutage(error)) throw error;
  throw new HoldfastError(
    'SERVICE_UNAVAILABLE',
    `The database cannot be reached now. The first ${report.lines} lines are done; send all of them again shortly.`,
    { cause: error, details: { ...report } },
  );
}

function findProblem(
  { isDeleted, isImported, isBusy, lastOrdinal }: ImportState,
  ordinal: number,
): string | null {
  if (isDeleted) return 'the conversation was deleted here';
  if (!isImported || isBusy) return 'a turn runs or waits in the conversation';
  if (ordinal > lastOrdinal) return null;
  return `turn.ordinal: expected more than ${lastOrdinal}, since the turns of a conversation are imported in their order`;
}
