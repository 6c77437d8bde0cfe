import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type {
  ActivityDependencies,
  DocumentRoom,
  ToolRoom,
  TurnEngine,
  StepRepositories,
} from '../activities/dependencies.ts';
import type { AgentVersion } from './domain/agent.ts';
import type { DocumentIngestion } from './domain/document-ingestion.ts';
import type { CallLanguageModel } from './domain/model.ts';
import type { WorkflowTargets } from './domain/workflow-tool.ts';
import type { Database } from './db/connect.ts';
import { createChildTurnRepository } from './db/repositories/child-turns.ts';
import { createDocumentSweepRepository } from './db/repositories/document-sweep.ts';
import { createStreamChunkWriter } from './db/repositories/stream-chunk-writer.ts';
import { createSweepRepository } from './db/repositories/sweep.ts';
import { createToolCallRepository } from './db/repositories/tool-calls.ts';
import { createTurnAnswerRepository } from './db/repositories/turn-answers.ts';
import { createTurnContextRepository } from './db/repositories/turn-context.ts';
import { createTurnRepository } from './db/repositories/turns.ts';
import type { Query } from './db/statement.ts';
import type { Notifier, Wakeups } from './db/wakeups.ts';

interface ActivityParts {
  database: Database;
  callLanguageModel: CallLanguageModel;
  tools: ToolRoom;
  workflowTargets: WorkflowTargets;
  engine: TurnEngine;
  ingestion: DocumentIngestion;
  ingestionEngine: DocumentRoom['engine'];
  notifier: Notifier;
  wakeups: Wakeups;
  logger: Logger;
}

/** How many agent versions a worker remembers; they never change. */
const rememberedVersions = 500;

/** Wires what a worker has to what its activities need. */
export function createActivityDependencies({
  database,
  ingestion,
  ingestionEngine,
  ...parts
}: ActivityParts): ActivityDependencies {
  const atOnce: ActivityDependencies['atOnce'] = (workspaceId, run) =>
    database.atOnce(workspaceId, (query) => run(createStepRepositories(query)));
  return {
    ...parts,
    atOnce,
    transact: (workspaceId, run) =>
      database.transact(workspaceId, (query) => run(createStepRepositories(query))),
    withTurns: (workspaceId, run) =>
      database.inWorkspace(workspaceId, (trx) => run(createTurnRepository(trx))),
    getVersion: rememberVersions((workspaceId, versionId) =>
      atOnce(workspaceId, ({ context }) => context.getVersion(versionId)),
    ),
    sweep: createSweepRepository(database.system),
    documents: {
      ingestion,
      engine: ingestionEngine,
      sweep: createDocumentSweepRepository(database.system),
    },
    appendChunks: createStreamChunkWriter(database),
  };
}

function createStepRepositories(query: Query): StepRepositories {
  return {
    context: createTurnContextRepository(query),
    answers: createTurnAnswerRepository(query),
    toolCalls: createToolCallRepository(query),
    childTurns: createChildTurnRepository(query),
  };
}

function rememberVersions(
  getVersion: ActivityDependencies['getVersion'],
): ActivityDependencies['getVersion'] {
  const versions = new LRUCache<string, AgentVersion>({ max: rememberedVersions });
  return async (workspaceId, versionId) => {
    const key = `${workspaceId}/${versionId}`;
    const version = versions.get(key) ?? (await getVersion(workspaceId, versionId));
    versions.set(key, version);
    return version;
  };
}
