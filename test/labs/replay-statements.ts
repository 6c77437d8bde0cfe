import { createImportRepository } from '../../src/modules/recordings/import-repository.ts';
import type { ImportedTurn } from '../../src/modules/recordings/imported-rows.ts';
import { createRecordingRepository } from '../../src/modules/recordings/recording-repository.ts';
import { createComparisonRepository } from '../../src/modules/replays/compare/comparison-repository.ts';
import { createReplayCaseRepository } from '../../src/modules/replays/replay-case-repository.ts';
import { createReplayRepository } from '../../src/modules/replays/replay-repository.ts';
import type { Query } from '../../src/platform/database/statement.ts';
import { createForkRepository } from '../../src/modules/turns/forks/fork-repository.ts';
import { replayInputSchema } from '../../src/domain/replay.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import {
  idleConversation,
  largeReplays,
  recordedConversation,
  runningConversation,
  toRowId,
} from './large-tables.ts';
import { noUsage } from './turn-rows.ts';

const recordings = { agentId: undefined, afterId: null, limit: 20 };
const { turnId, conversationId } = runningConversation;
const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000);
const { planned, running } = largeReplays;
const select = (selection: object) => (query: Query) =>
  createReplayCaseRepository(query).selectCases(
    planned,
    replayInputSchema.parse({ selection, candidate: {}, name: 'Replay' }),
  );
const endedRun = {
  ...{ position: 5, lane: 'candidate' as const, repeat: 2, conversationId, run: null, comparison: null },
  ...{ error: null, outside: { connectionsOpened: 0, credentialsDecrypted: 0 }, charge: null },
};

/** Statements of exports, replays and forks: they run for the pages of exports, the chunks of replays, the cases of reports, and forks. */
export const stepsOfReplays: [string, (query: Query) => Promise<unknown>][] = [
  ['a page of an export', (query) => createRecordingRepository(query).listConversationIds(recordings)],
  [
    'a later page of an export',
    (query) =>
      createRecordingRepository(query).listConversationIds({ ...recordings, afterId: conversationId }),
  ],
  [
    'an export of one conversation',
    (query) =>
      createRecordingRepository(query).listConversationIds({
        ...recordings,
        conversationIds: [idleConversation.conversationId],
      }),
  ],
  [
    'a conversation of an export',
    (query) => createRecordingRepository(query).findConversation(conversationId),
  ],
  ['the turns of an export', (query) => createRecordingRepository(query).listTurns(conversationId, 2, 20)],
  [
    'a turn of an export',
    (query) =>
      createRecordingRepository(query).readParts({
        ...{ id: turnId, conversation_id: conversationId, ordinal: 10 },
      } as never),
  ],
  ['selecting the cases of an agent', select({ agentId: toRowId('agent', 5000) })],
  ['selecting cases by their conversations', select({ conversationIds: [idleConversation.conversationId] })],
  ['selecting cases by their turns', select({ turnIds: [idleConversation.turnId] })],
  ['selecting the cases of a time', select({ from: tomorrow.toISOString() })],
  ['the cases of a chunk', (query) => createReplayCaseRepository(query).listCases(running, 500, 510)],
  [
    'the stored runs of a chunk',
    (query) => createReplayCaseRepository(query).listStoredKeys(running, 500, 510),
  ],
  ['storing a run', (query) => createReplayCaseRepository(query).storeRun(running, endedRun)],
  ['the state of a replay', (query) => createReplayCaseRepository(query).findState(running)],
  ['the runs of a report', (query) => createReplayCaseRepository(query).listRuns(running, 500, 510)],
  ['some cases of a report', (query) => createReplayCaseRepository(query).listRunsAt(running, [3, 700])],
  [
    'a page of the cases of a report',
    (query) =>
      createReplayCaseRepository(query).listPositions({
        ...{ after: 500, onlyChanged: true, most: 20 },
        replayId: running,
      }),
  ],
  ['a page of replays', (query) => createReplayRepository(query).listReplays({ limit: 20 })],
  ['the turn that is forked', (query) => createForkRepository(query).findForkedTurn(conversationId, turnId)],
  [
    'storing a fork',
    (query) =>
      createForkRepository(query).storeFork({
        ...{
          forkId: newId(),
          parentId: idleConversation.conversationId,
          parentTurnId: idleConversation.turnId,
        },
        ...{
          parentOrdinal: 10,
          iteration: null,
          agentId: runningConversation.agentId,
          runs: true,
          recorded: true,
        },
        ...{ versionId: runningConversation.agentVersionId, forkHash: 'hash', edits: '[]', turnId: newId() },
        ...{
          startedBy: 'null',
          person: null,
          timeoutMs: 1,
          startTimeoutMs: 1,
          messageId: newId(),
          message: 'Hello',
          parts: null,
        },
        ...{ started: '{}', auditId: newId(), auditPayload: '{}' },
      }),
  ],
  ['the ancestors of a fork', (query) => createComparisonRepository(query).listAncestors(conversationId)],
  [
    'the compared turns of a fork',
    (query) => createComparisonRepository(query).listTurns({ conversationId, from: 3, most: 100 }),
  ],
];

const now = new Date().toISOString();
const namedFile = { name: null, mediaType: 'text/plain', size: 1 };
const importedMessage = {
  ...{ id: newId(), iteration: 0, steeredOrdinal: 0, role: 'user' as const, text: 'Read them.' },
  ...{ finishReason: null, providerContent: null, refused: null, createdAt: now },
  // Found by its id, by its content, and not at all.
  parts: [
    { type: 'file' as const, fileId: toRowId('file', 50_002), file: null },
    { type: 'file' as const, fileId: newId(), file: { ...namedFile, sha256: 'sha0' } },
    { type: 'file' as const, fileId: newId(), file: { ...namedFile, sha256: 'unknown' } },
  ],
};
const importedCall = {
  ...{
    id: newId(),
    recordedCallId: null,
    iteration: 1,
    index: 0,
    key: newId(),
    modelCallId: 'call',
    name: 'agent',
    tool: null,
  },
  ...{ effect: 'unsafe' as const, arguments: {}, invalidArguments: null, argumentsHash: 'hash' },
  ...{ status: 'succeeded' as const, attempts: 1, result: 'Done', resultBytes: 4, error: null },
  ...{ childTurnId: toRowId('turn', 70_000), startedAt: now, endedAt: now },
};
const importedTurn: ImportedTurn = {
  ...{ conversationId: idleConversation.conversationId, turnId: newId(), messageId: newId(), ordinal: 11 },
  ...{
    status: 'completed',
    answer: 'Done',
    responseSchema: null,
    answerJson: null,
    error: null,
    iterations: 1,
  },
  ...{ usage: noUsage, hidden: false, steered: 0, createdAt: now, startedAt: now, settledAt: now },
  ...{
    parentTurnId: turnId,
    parentCallId: runningConversation.toolCallId,
    characters: 10,
    requestHash: 'hash',
  },
  ...{ messages: [importedMessage], calls: [importedCall], modelCalls: [], compactions: [], events: [] },
};
const { firstTurnId, lastTurnId, summaryId } = recordedConversation;

/** Statements that run for each turn of an import. */
export const stepsOfImports: [string, (query: Query) => Promise<unknown>][] = [
  [
    'the turns and summaries that an import names',
    (query) =>
      createImportRepository(query).findMissing(recordedConversation.conversationId, {
        turns: [firstTurnId, lastTurnId],
        summaries: [summaryId],
      }),
  ],
  [
    'storing an imported turn with files',
    (query) => createImportRepository(query).storeTurn(importedTurn, runningConversation.agentVersionId),
  ],
];
