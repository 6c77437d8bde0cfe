import type { Knex } from 'knex';
import { HoldfastError } from '../../../domain/errors.ts';
import type {
  KnowledgeBase,
  KnowledgeBaseChange,
  KnowledgeBaseInput,
  searchLanguages,
} from '../../../domain/knowledge.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../../../platform/database/page.ts';
import { isUniqueViolation } from '../../../platform/database/unique-violation.ts';

interface KnowledgeBaseRow {
  id: string;
  name: string;
  description: string;
  language: (typeof searchLanguages)[number];
  embedding_model: string | null;
  embedding_connection_id: string | null;
  chunk_characters: number;
  chunk_overlap: number;
  document_count: number;
  created_at: Date;
  updated_at: Date;
}

export type KnowledgeBaseRepository = ReturnType<typeof createKnowledgeBaseRepository>;

/** Knowledge bases of one workspace. */
export function createKnowledgeBaseRepository(trx: Knex) {
  const getKnowledgeBase = async (id: string): Promise<KnowledgeBase> => {
    const row = await knowledgeBaseRows(trx).where('b.id', id).first();
    if (!row) throw knowledgeBaseNotFound(id);
    return toKnowledgeBase(row);
  };

  return {
    /** @throws HoldfastError `NOT_FOUND` */
    getKnowledgeBase,

    /** @throws HoldfastError `CONFLICT` for a name that is taken */
    createKnowledgeBase: async (input: KnowledgeBaseInput): Promise<KnowledgeBase> => {
      const id = newId();
      const { language, ...columns } = input;
      await insert(trx, { id, language, ...toColumns(columns) }, input.name);
      return getKnowledgeBase(id);
    },

    /** Those of the ids that belong to knowledge bases of the workspace. */
    findKnown: async (ids: string[]): Promise<Set<string>> => {
      const rows = await trx('knowledge_bases').whereIn('id', ids).select<{ id: string }[]>('id');
      return new Set(rows.map(({ id }) => id));
    },

    /** Lists knowledge bases, newest first. */
    listKnowledgeBases: async ({ cursor, limit }: PageRequest): Promise<Page<KnowledgeBase>> => {
      const query = knowledgeBaseRows(trx).orderBy('b.id', 'desc');
      if (cursor) void query.where('b.id', '<', cursor);
      return toPage(await query.limit(limit + 1), limit, toKnowledgeBase);
    },

    /** @throws HoldfastError `NOT_FOUND`; `CONFLICT` for a name that is taken */
    updateKnowledgeBase: async (id: string, change: KnowledgeBaseChange): Promise<KnowledgeBase> => {
      const columns = { ...toColumns(change), updated_at: trx.fn.now() };
      const updated = await trx('knowledge_bases')
        .where({ id })
        .update(columns)
        .catch((error: unknown) => {
          throw toConflict(error, change.name ?? '');
        });
      if (updated === 0) throw knowledgeBaseNotFound(id);
      return getKnowledgeBase(id);
    },

    /** Whether a document in it has embeddings of this model. */
    hasEmbeddings: async (id: string, embeddingModel: string): Promise<boolean> => {
      const where = { knowledge_base_id: id, ready_embedding_model: embeddingModel };
      return (await trx('documents').where(where).first<{ id: string } | undefined>('id')) !== undefined;
    },

    /** Deletes a knowledge base with its documents and their files. @throws HoldfastError `NOT_FOUND` */
    deleteKnowledgeBase: async (id: string): Promise<void> => {
      // Locked first, so that a document that is created meanwhile is either deleted here, or refused with `NOT_FOUND`.
      await trx('knowledge_bases').where({ id }).forUpdate().first('id');
      const fileIds = await trx('documents').where({ knowledge_base_id: id }).pluck<string[]>('file_id');
      const deleted = await trx('knowledge_bases').where({ id }).delete();
      if (deleted === 0) throw knowledgeBaseNotFound(id);
      await trx('files').whereIn('id', fileIds).delete();
    },
  };
}

/** The error for a knowledge base that the workspace does not have. */
export function knowledgeBaseNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no knowledge base ${id}.`);
}

function knowledgeBaseRows(trx: Knex): Knex.QueryBuilder<KnowledgeBaseRow, KnowledgeBaseRow[]> {
  const documentCount = trx('documents').whereRaw('knowledge_base_id = b.id').count().as('document_count');
  return trx('knowledge_bases as b').select('b.*', documentCount) as Knex.QueryBuilder<
    KnowledgeBaseRow,
    KnowledgeBaseRow[]
  >;
}

async function insert(trx: Knex, row: object, name: string): Promise<void> {
  try {
    await trx('knowledge_bases').insert(row);
  } catch (error) {
    throw toConflict(error, name);
  }
}

function toConflict(error: unknown, name: string): unknown {
  return isUniqueViolation(error)
    ? new HoldfastError('CONFLICT', `There is a knowledge base named "${name}" already.`)
    : error;
}

function toColumns({
  embeddingModel,
  embeddingConnectionId,
  chunking,
  ...same
}: KnowledgeBaseChange): object {
  return {
    ...same,
    ...(embeddingModel === undefined ? {} : { embedding_model: embeddingModel }),
    ...(embeddingConnectionId === undefined ? {} : { embedding_connection_id: embeddingConnectionId }),
    ...(chunking
      ? { chunk_characters: chunking.maxCharacters, chunk_overlap: chunking.overlapCharacters }
      : {}),
  };
}

function toKnowledgeBase(row: KnowledgeBaseRow): KnowledgeBase {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    language: row.language,
    embeddingModel: row.embedding_model,
    embeddingConnectionId: row.embedding_connection_id,
    chunking: { maxCharacters: row.chunk_characters, overlapCharacters: row.chunk_overlap },
    documentCount: row.document_count,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
