import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type {
  ActivityDependencies,
  DocumentServices,
  ToolServices,
  TurnEngine,
  StepRepositories,
} from '../../activities/activity-dependencies.ts';
import type { AgentVersion } from '../domain/agent.ts';
import type { DocumentIngestion } from '../../workflows/contract/document-steps.ts';
import type { CallLanguageModel } from '../domain/model.ts';
import type { WorkflowTargets } from '../domain/workflow-tool.ts';
import type { Database } from '../db/connect-database.ts';
import { createChildTurnRepository } from '../db/turns/child-turn-repository.ts';
import { createDocumentSweepRepository } from '../db/knowledge/document-sweep-repository.ts';
import { createStreamChunkWriter } from '../db/turns/stream-chunk-writer.ts';
import { createSweepRepository } from '../db/turns/turn-sweep-repository.ts';
import { createToolCallRepository } from '../db/turns/tool-call-repository.ts';
import { createTurnAnswerRepository } from '../db/turns/turn-answer-repository.ts';
import { createTurnContextRepository } from '../db/turns/turn-context-repository.ts';
import { createTurnRepository } from '../db/turns/turn-repository.ts';
import type { Query } from '../db/statement.ts';
import type { Notifier, Wakeups } from '../db/wakeups.ts';

interface ActivityParts {
  database: Database;
  callLanguageModel: CallLanguageModel;
  tools: ToolServices;
  workflowTargets: WorkflowTargets;
  engine: TurnEngine;
  ingestion: DocumentIngestion;
  ingestionEngine: DocumentServices['engine'];
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
  const pipelined: ActivityDependencies['pipelined'] = (workspaceId, run) =>
    database.pipelined(workspaceId, (query) => run(createStepRepositories(query)));
  return {
    ...parts,
    pipelined,
    transact: (workspaceId, run) =>
      database.transact(workspaceId, (query) => run(createStepRepositories(query))),
    inTurnRepository: (workspaceId, run) =>
      database.inWorkspace(workspaceId, (trx) => run(createTurnRepository(trx))),
    getVersion: rememberVersions((workspaceId, versionId) =>
      pipelined(workspaceId, ({ context }) => context.getVersion(versionId)),
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
