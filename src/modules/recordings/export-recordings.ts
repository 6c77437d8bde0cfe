import type { Database } from '../../platform/database/connect-database.ts';
import {
  createRecordingRepository,
  type RecordedConversation,
  type RecordingRepository,
} from './recording-repository.ts';
import { toRowScope } from '../../domain/row-scope.ts';
import type { Query } from '../../platform/database/statement.ts';
import { createTurnContextRepository } from '../turns/context/turn-context-repository.ts';
import type { TurnRow } from '../turns/turn-rows.ts';
import type { AgentVersion } from '../../domain/agent.ts';
import type { Actor, Viewer } from '../../domain/actor.ts';
import { mayDo } from '../../domain/authorize.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Recording, RecordingFilter } from '../../domain/recording.ts';
import { redactJson } from '../../domain/redact.ts';
import { createCanaryDetector } from '../../engines/rules/canary-detector.ts';
import { toRecording } from './to-recording.ts';

/** Everything that the use cases of recordings need from the rest of the program. */
export interface RecordingDependencies {
  database: Pick<Database, 'pipelined' | 'transact' | 'inWorkspace'>;
}

type Reader = <Result>(
  run: (repository: RecordingRepository, query: Query) => Promise<Result>,
) => Promise<Result>;

const conversationsAtOnce = 100;
const turnsAtOnce = 20;

/** The versions that are kept while turns are read; most turns that follow each other have the same one. */
const keptVersions = 20;

/**
 * Reads the turns of the conversations that a filter chooses, one after the other, ordered by conversation and ordinal.
 * Without `agents:read` the agents have no instructions, rules and definitions of tools. It holds one turn at a time, and
 * reads the next one when the caller asks for it.
 */
export async function* exportRecordings(
  { database }: RecordingDependencies,
  actor: Viewer & Pick<Actor, 'scopes'>,
  filter: RecordingFilter,
): AsyncGenerator<Recording> {
  const read: Reader = (run) =>
    database.pipelined(toRowScope(actor), (query) => run(createRecordingRepository(query), query));
  const getVersion = createVersionReader(read);
  for await (const id of listConversationIds(read, filter)) {
    const conversation = await read((recordings) => recordings.findConversation(id));
    if (!conversation) continue;
    for await (const turn of listTurns(read, id)) {
      const recording = await readRecording(read, { conversation, turn, getVersion });
      yield mayDo(actor, 'agents.read') ? recording : withoutConfiguration(recording);
    }
  }
}

/** The instructions, rules and tools of an agent are read with `agents:read`; the names stay, since calls have them too. */
function withoutConfiguration(recording: Recording): Recording {
  return {
    ...recording,
    agent: { ...recording.agent, instructions: '', rules: {} },
    tools: recording.tools.map((tool) => ({ ...tool, description: '', schema: { type: 'object' } })),
  };
}

async function* listConversationIds(read: Reader, filter: RecordingFilter): AsyncGenerator<string> {
  const { sample } = filter;
  if (sample !== undefined) {
    yield* await read((recordings) => recordings.sampleConversationIds({ ...filter, sample }));
    return;
  }
  let afterId: string | null = null;
  do {
    const page: string[] = await read((recordings) =>
      recordings.listConversationIds({ ...filter, afterId, limit: conversationsAtOnce }),
    );
    yield* page;
    afterId = page.length < conversationsAtOnce ? null : (page.at(-1) ?? null);
  } while (afterId !== null);
}

async function* listTurns(read: Reader, conversationId: string): AsyncGenerator<TurnRow> {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const ordinal: number = after;
    const page = await read((recordings) => recordings.listTurns(conversationId, ordinal, turnsAtOnce));
    yield* page;
    after = page.length < turnsAtOnce ? undefined : page.at(-1)?.ordinal;
  }
}

interface TurnToRead {
  conversation: RecordedConversation;
  turn: TurnRow;
  getVersion: (id: string) => Promise<AgentVersion>;
}

async function readRecording(
  read: Reader,
  { conversation, turn, getVersion }: TurnToRead,
): Promise<Recording> {
  const parts = await read((recordings) => recordings.readParts(turn));
  const version = await getVersion(turn.agent_version_id);
  const above = await Promise.all(turn.rule_sources.map(({ versionId }) => getVersion(versionId)));
  const tokens = [version, ...above].flatMap(({ rules }) => rules.canaryTokens);
  const recording = toRecording({ conversation, version, turn, parts });
  const detector = createCanaryDetector(tokens);
  // Canary tokens are secrets: a user may have made a model or a tool repeat one before its rule was set.
  return detector
    ? (redactJson(recording as unknown as JsonObject, detector.redact) as unknown as Recording)
    : recording;
}

function createVersionReader(read: Reader): (id: string) => Promise<AgentVersion> {
  const known = new Map<string, AgentVersion>();
  return async (id) => {
    const found = known.get(id);
    if (found) return found;
    const version = await read((_recordings, query) => createTurnContextRepository(query).getVersion(id));
    if (known.size >= keptVersions) known.clear();
    known.set(id, version);
    return version;
  };
}
