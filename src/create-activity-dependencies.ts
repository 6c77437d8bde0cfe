import type { Logger } from 'pino';
import type {
  ActivityDependencies,
  ToolRoom,
  TurnEngine,
  TurnRepositories,
} from '../activities/dependencies.ts';
import type { AgentVersion } from './domain/agent.ts';
import type { CallLanguageModel } from './domain/model.ts';
import type { Database } from './db/connect.ts';
import { createStreamChunkWriter } from './db/repositories/stream-chunk-writer.ts';
import { createSweepRepository } from './db/repositories/sweep.ts';
import { createToolCallRepository } from './db/repositories/tool-calls.ts';
import { createTurnAnswerRepository } from './db/repositories/turn-answers.ts';
import { createTurnContextRepository } from './db/repositories/turn-context.ts';
import { createTurnRepository } from './db/repositories/turns.ts';
import type { Notifier, Wakeups } from './db/wakeups.ts';

interface ActivityParts {
  database: Database;
  callLanguageModel: CallLanguageModel;
  tools: ToolRoom;
  engine: TurnEngine;
  notifier: Notifier;
  wakeups: Wakeups;
  logger: Logger;
}

/** How many agent versions a worker remembers; they never change. */
const rememberedVersions = 500;

/** Wires what a worker has to what its activities need. */
export function createActivityDependencies({ database, ...parts }: ActivityParts): ActivityDependencies {
  const inWorkspace: ActivityDependencies['inWorkspace'] = (workspaceId, run) =>
    database.inWorkspace(workspaceId, (trx) => run(createTurnRepositories(trx)));
  return {
    ...parts,
    inWorkspace,
    getVersion: rememberVersions((workspaceId, versionId) =>
      inWorkspace(workspaceId, ({ context }) => context.getVersion(versionId)),
    ),
    sweep: createSweepRepository(database.system),
    appendChunks: createStreamChunkWriter(database),
  };
}

function createTurnRepositories(trx: Parameters<typeof createTurnRepository>[0]): TurnRepositories {
  return {
    turns: createTurnRepository(trx),
    context: createTurnContextRepository(trx),
    answers: createTurnAnswerRepository(trx),
    toolCalls: createToolCallRepository(trx),
  };
}

function rememberVersions(
  getVersion: ActivityDependencies['getVersion'],
): ActivityDependencies['getVersion'] {
  const versions = new Map<string, Promise<AgentVersion>>();
  return (workspaceId, versionId) => {
    const key = `${workspaceId}/${versionId}`;
    const known = versions.get(key);
    if (known) return known;
    const [oldest] = versions.keys();
    if (oldest !== undefined && versions.size >= rememberedVersions) versions.delete(oldest);
    const version = getVersion(workspaceId, versionId);
    versions.set(key, version);
    version.catch(() => versions.delete(key));
    return version;
  };
}
