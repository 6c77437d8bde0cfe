import type { Client } from '@temporalio/client';
import type { Database } from '../../platform/database/connect-database.ts';
import type { createKnowledge } from './create-knowledge.ts';
import { createDocumentActivities } from './document-activities.ts';
import { createDocumentSweepRepository } from './document-sweep-repository.ts';
import { sweepDocuments } from './document-sweep.ts';
import type { ModelsConfig } from '../../engines/models/models-config.ts';
import { checkEmbeddingModelName } from '../../engines/models/create-embedder.ts';
import { createIngestionEngine } from './ingestion-engine.ts';
import { defineModule } from '../../platform/module/define-module.ts';
import { knowledgeBaseRoutes } from './bases/knowledge-base-routes.ts';
import {
  documentProgressSchema,
  documentSchema,
  knowledgeBaseSchema,
  knowledgeResultSchema,
} from '../../domain/knowledge.ts';
import { documentQueue, readingQueue } from './document-queues.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'knowledge_base.created': true;
    'knowledge_base.updated': true;
    'knowledge_base.deleted': true;
    'document.created': true;
    'document.deleted': true;
    'document.reprocessed': true;
  }
}

/** The parts of the API that the module uses. */
export interface ApiParts {
  config: { models: ModelsConfig };
  knowledge: Pick<ReturnType<typeof createKnowledge>, 'search'>;
}

/** The parts of a worker that the module uses. */
export interface WorkerParts {
  database: Database;
  client: Client;
  taskQueue: string;
  knowledge: Pick<ReturnType<typeof createKnowledge>, 'ingestion'>;
}

/** The module of knowledge. */
export const knowledge = defineModule({
  name: 'knowledge',
  routes: [...knowledgeBaseRoutes],
  schemas: {
    KnowledgeBase: knowledgeBaseSchema,
    Document: documentSchema,
    DocumentProgress: documentProgressSchema,
    KnowledgeResult: knowledgeResultSchema,
  },
  tables: [{ name: 'knowledge_bases', most: 10 }],
  queues: [documentQueue, readingQueue],
  engine: ({ toReport, ...parts }) => {
    const { startIngestion } = createIngestionEngine(parts);
    return { startIngestion: toReport('startIngestion', startIngestion) };
  },
  api: ({ config: { models }, knowledge }: ApiParts) => ({
    checkEmbeddingModel: (name: string, options: { hasConnection: boolean }) =>
      checkEmbeddingModelName(models, name, options),
    searchKnowledge: knowledge.search,
  }),
  worker: ({ database, knowledge: { ingestion }, ...parts }: WorkerParts) => {
    const engine = createIngestionEngine(parts);
    const sweep = createDocumentSweepRepository(database.system);
    return {
      activities: createDocumentActivities(ingestion),
      work: [
        {
          kind: 'document',
          workflows: ['documentIngestion'],
          sweep: { name: 'documents', sweep: (run) => sweepDocuments({ ingestion, engine, sweep }, run) },
        },
      ],
    };
  },
});
