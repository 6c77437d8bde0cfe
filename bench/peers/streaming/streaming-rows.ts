import { toRow, type PeerRow } from '../catalogue.ts';

/**
 * The programs that are measured beside Holdfast while their answers stream; each `module` is a file in `engines`. The first
 * ones are the limits: they store nothing, or no more than one row for each step.
 */
export const streamingRows: readonly PeerRow[] = [
  { ...toRow('bare-reader', 'bare-reader.ts'), usesPostgres: false, keepsConversations: false },
  { ...toRow('ai-sdk', 'ai-sdk.ts'), usesPostgres: false, keepsConversations: false },
  { ...toRow('ai-sdk-inserts', 'ai-sdk.ts'), settings: { inserts: 'each step' }, keepsConversations: false },
  toRow('langgraph', 'langgraph.mjs', [
    '@langchain/langgraph',
    '@langchain/langgraph-checkpoint-postgres',
    '@langchain/openai',
  ]),
  toRow('mastra', 'mastra.mjs', ['@mastra/core', '@mastra/memory', '@mastra/pg']),
  { ...toRow('dbos', 'dbos.mjs', ['@dbos-inc/dbos-sdk']), keepsConversations: false },
  {
    ...toRow('restate', 'restate.mjs', [
      '@restatedev/pubsub',
      '@restatedev/pubsub-client',
      '@restatedev/restate-sdk',
      '@restatedev/restate-sdk-clients',
      '@restatedev/restate-server',
    ]),
    usesPostgres: false,
  },
];
