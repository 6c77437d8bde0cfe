import type { Knex } from 'knex';
import { readBytesOfRow, readPieces } from '../../src/modules/files/file-pieces.ts';
import { createFileRepository } from '../../src/modules/files/file-repository.ts';
import { createFileTextRepository } from '../../src/modules/files/file-text-repository.ts';
import {
  createFileRemovalQueue,
  createFileRemovalRepository,
} from '../../src/modules/retention/file-removal-repository.ts';
import type { RowScope } from '../../src/domain/row-scope.ts';
import type { Query } from '../../src/platform/database/statement.ts';
import { createCompactionRepository } from '../../src/modules/turns/context/compaction-repository.ts';
import { findMissingFiles } from '../../src/modules/turns/messages/message-parts.ts';
import { createShownContextRepository } from '../../src/modules/turns/context/shown-context-repository.ts';
import { insertTurn } from '../../src/modules/turns/store-turn.ts';
import { createTurnContextRepository } from '../../src/modules/turns/context/turn-context-repository.ts';
import type { MessagePart } from '../../src/domain/message-part.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import {
  idleConversation,
  largeWorkspace,
  recordedConversation,
  runningConversation,
  toRowId,
} from './large-tables.ts';
import { noUsage } from './turn-rows.ts';

const { conversationId, turnId } = runningConversation;
const upload = toRowId('file', 50_002);
const part = { type: 'file', fileId: upload } as const;
const message: MessagePart[] = [{ type: 'text', text: 'Read it.' }, part];
/** No message names it. */
const unused = toRowId('file', 2000);
const ofResult = toRowId('file', 50_003);
const place = { workspaceId: largeWorkspace, id: upload };

/** Runs functions that open a transaction in the transaction of a test. */
const inTransaction = (query: Query) => ({
  pipelined: <Result>(_: RowScope, run: (query: Query) => Promise<Result>) => run(query),
});

const submission = {
  ...{ turnId: newId(), requestHash: 'hash', conversationId: idleConversation.conversationId },
  input: { message, onBusy: 'reject' as const },
};

const summary = { messageId: newId(), text: 'They spoke.', model: 'demo', answeredBy: 'demo', credits: 1n };
const compaction = {
  ...{ turnId, iteration: 2, number: 1, heldBy: null, kind: 'summarize' as const, fromOrdinal: 9 },
  ...{ tokensBefore: 100, tokensAfter: 50, references: 0, error: null },
  start: { throughOrdinal: 9, throughOffset: 0, referencesThrough: 9, summaryId: null },
  summary: { ...summary, usage: noUsage },
};

/** Statements that run in steps of turns whose messages name files, and where contexts are shortened. */
export const stepsOfFiles: [string, (query: Query) => Promise<unknown>][] = [
  [
    'the step of a turn in a shortened conversation',
    (query) => createTurnContextRepository(query).findStep(turnId, 2, toRowId('message', 1)),
  ],
  ['storing a compaction', (query) => createCompactionRepository(query).storeCompaction(compaction)],
  [
    'the compactions of a turn',
    (query) => createCompactionRepository(query).listStarts(recordedConversation.lastTurnId),
  ],
  [
    'copying recorded compactions',
    (query) => createCompactionRepository(query).copyRecorded(recordedConversation.forkedTurnId, 100),
  ],
  ['the files of a context', (query) => createFileTextRepository(query).listFiles([upload, ofResult])],
  ['the text of a file', (query) => createFileTextRepository(query).findText(upload)],
  [
    'storing the text of a file',
    (query) => createFileTextRepository(query).storeText({ fileId: upload, text: 'Words', characters: 5 }),
  ],
  ['submitting a turn with files', (query) => insertTurn(query, submission)],
  ['the files that a message names', (query) => findMissingFiles(query, message)],
  [
    'the bytes of a file',
    async (query) => {
      for await (const piece of readPieces(inTransaction(query), place)) if (piece.length === 0) return;
    },
  ],
  ['the bytes of a file in its row', (query) => readBytesOfRow(inTransaction(query), place)],
];

/** Statements that run for each request that reads what the next model call sees. */
export const looksAtContexts: [string, (query: Query) => Promise<unknown>][] = [
  [
    'the newest turn of a conversation',
    (query) => createShownContextRepository(query).findNewestTurn(conversationId),
  ],
  [
    'the compactions of a conversation',
    (query) => createShownContextRepository(query).listCompactions(conversationId),
  ],
  [
    'the ordinals of a conversation',
    (query) => createShownContextRepository(query).listTurnIds(conversationId),
  ],
];

/** Statements that run for each request about files, and when old rows of a workspace are removed. */
export const requestsOfFiles: [string, (trx: Knex) => Promise<unknown>][] = [
  ['an upload that is repeated', (trx) => createFileRepository(trx).findFile(upload)],
  ['a file', (trx) => createFileRepository(trx).getFile(upload)],
  ['a file of a result', (trx) => createFileRepository(trx).getFile(ofResult)],
  ['the newest uploads', (trx) => createFileRepository(trx).listFiles({ limit: 20 })],
  ['a page of uploads', (trx) => createFileRepository(trx).listFiles({ limit: 20, cursor: upload })],
  ['deleting an upload', (trx) => createFileRepository(trx).deleteFile(unused)],
  [
    'an upload that begins and ends',
    async (trx) => {
      const files = createFileRepository(trx);
      const one = { id: newId(), attempt: newId() };
      await files.beginFile({ ...one, mediaType: 'text/plain' }, { storage: 'pieces' });
      await files.finishFile(one, { size: 0, sha256: 'sha' });
      await files.discardFile(one);
    },
  ],
  [
    'removing an upload that no message names',
    (trx) => createFileRemovalRepository(trx).removeUnused(unused),
  ],
];

const aWeekAgo = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000);

/** Statements that run in each round of the removal, for all workspaces. */
export const sweepsOfFiles: [string, (system: Knex) => Promise<unknown>][] = [
  ['uploads that broke off', (system) => createFileRemovalQueue(system).listUnfinished(new Date(), 100)],
  [
    'uploads that no message names',
    (system) => createFileRemovalQueue(system).listUnused(aWeekAgo, { after: undefined, limit: 100 }),
  ],
  [
    'more uploads that no message names',
    (system) =>
      createFileRemovalQueue(system).listUnused(aWeekAgo, {
        after: { id: unused, workspaceId: largeWorkspace },
        limit: 100,
      }),
  ],
  ['taking objects of deleted files', (system) => createFileRemovalQueue(system).takeObjects(100)],
  ['an object that is removed', (system) => createFileRemovalQueue(system).finishObject('removed5')],
];
