import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { newId } from '../../src/platform/lib/ids.ts';
import type { RowRef } from './turn-rows.ts';

/** Inserts a connection, a connector of this name and what agents have of their tools. */
export async function insertTools(
  trx: Knex,
  { agentId }: Pick<RowRef, 'agentId'>,
  name = 'server',
): Promise<void> {
  const [connectionId, connectorId] = [newId(), newId()];
  await trx('connections').insert({ id: connectionId, name, provider: 'mcp', auth: {} });
  await trx('authorization_requests').insert({
    state_hash: randomBytes(32),
    connection_id: connectionId,
    sealed: Buffer.from('x'),
    key_id: 'key',
    expires_at: new Date(),
  });
  await trx('connectors').insert({
    id: connectorId,
    name,
    type: 'mcp',
    connection_id: connectionId,
  });
  await trx('connector_tools').insert({ tool: 'search', connector_id: connectorId, position: 0 });
  await trx('agent_connectors').insert({ agent_id: agentId, connector_id: connectorId });
  await trx('tool_pins').insert({ agent_id: agentId, tool_id: newId(), hash: 'x', definition: {} });
  await trx('tool_call_counts').insert({ agent_id: agentId, tool: 'search', day: '2026-01-01', calls: 1 });
}

/** Inserts a knowledge base of this name with a document in one chunk. */
export async function insertKnowledge(trx: Knex, name = 'Base'): Promise<void> {
  const [baseId, fileId, documentId] = [newId(), newId(), newId()];
  const sizes = { chunk_characters: 1600, chunk_overlap: 0 };
  await trx('knowledge_bases').insert({
    id: baseId,
    name,
    description: '',
    language: 'english',
    ...sizes,
  });
  await trx('files').insert({
    id: fileId,
    media_type: 'text/plain',
    bytes: Buffer.from('x'),
    size: 1,
    sha256: 'x',
  });
  await trx('file_texts').insert({ file_id: fileId, text: 'x', characters: 1 });
  await trx('documents').insert({
    id: documentId,
    knowledge_base_id: baseId,
    file_id: fileId,
    name: 'Document',
    media_type: 'text/plain',
    bytes: 1,
  });
  await trx('chunks').insert({
    document_id: documentId,
    generation: 1,
    position: 0,
    knowledge_base_id: baseId,
    headings: '[]',
    text: 'x',
    search: 'x',
  });
}
