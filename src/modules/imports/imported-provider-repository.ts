import type { Knex } from 'knex';
import type { ActorRef } from '../../domain/actor.ts';
import type { ConnectionAuthType } from '../../domain/connection.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { ProviderCategory } from '../../domain/provider-category.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';

/** The fields of an imported provider that lists show. */
export interface ImportedHead {
  name: string;
  title: string;
  description: string;
  category: ProviderCategory;
  authTypes: ConnectionAuthType[];
  operationNames: string[];
}

/** An imported provider without its definition. */
export interface ImportedProviderEntry extends ImportedHead {
  id: string;
  version: number;
  updatedAt: string;
}

/** An imported provider to write; `definition` is JSON. */
export interface NewImportedProvider extends ImportedHead {
  id: string;
  definition: string;
  createdBy: ActorRef;
}

/** The version of an imported provider, with its definition as JSON. */
export interface ImportedVersion {
  id: string;
  version: number;
  definition: string;
}

interface ImportedProviderRow {
  id: string;
  name: string;
  version: number;
  title: string;
  description: string;
  category: ProviderCategory;
  auth_types: ConnectionAuthType[];
  operation_names: string[];
  definition: string;
  updated_at: Date;
}

const shown = [
  ...(['id', 'name', 'version', 'title', 'description'] as const),
  ...(['category', 'auth_types', 'operation_names', 'updated_at'] as const),
];

/** The providers that one workspace has imported. */
export function createImportedProviderRepository(trx: Knex) {
  const rows = () => trx<ImportedProviderRow>('imported_providers');
  return {
    /** By title. */
    listImported: async (): Promise<ImportedProviderEntry[]> =>
      (await rows().select(shown).orderBy('title')).map(toEntry),

    findImported: async (name: string): Promise<ImportedProviderEntry | null> => {
      const row = await rows().where({ name }).first(shown);
      return row ? toEntry(row) : null;
    },

    /** Returns the definition of a provider, which is long; without it when its version is the known one. */
    findDefinition: (name: string, known?: VersionId) => findDefinition(trx, name, known),

    countImported: async (): Promise<number> => {
      const [counted] = await rows().count<{ count: number }[]>();
      return counted?.count ?? 0;
    },

    /** Locks the row until the transaction ends; null when there is none. */
    findForUpdate: async (name: string): Promise<VersionId | null> =>
      (await rows().where({ name }).forUpdate().first('id', 'version')) ?? null,

    /** @throws HoldfastError `CONFLICT` for a name that another request has taken meanwhile */
    createImported: async ({ id, createdBy, ...values }: NewImportedProvider): Promise<void> => {
      const columns = { id, version: 1, created_by: toStorableJson(createdBy), ...toColumns(values) };
      try {
        await trx('imported_providers').insert(columns);
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        const message = `Another request has imported "${values.name}" meanwhile. Import it again.`;
        throw new HoldfastError('CONFLICT', message);
      }
    },

    /** Replaces the definition of a provider by the next version. */
    replaceImported: async (
      id: string,
      values: Omit<NewImportedProvider, 'id' | 'createdBy'>,
    ): Promise<void> => {
      const next = { version: trx.raw('version + 1'), updated_at: trx.fn.now() };
      await trx('imported_providers')
        .where({ id })
        .update({ ...toColumns(values), ...next });
    },

    deleteImported: async (id: string): Promise<void> => {
      await rows().where({ id }).delete();
    },

    /** Lists the names of connections to a provider. */
    listConnectionNames: async (provider: string): Promise<string[]> => {
      const found = await trx('connections')
        .where({ provider })
        .orderBy('name')
        .select<{ name: string }[]>('name');
      return found.map(({ name }) => name);
    },

    listToolUses: (provider: string): Promise<ToolUse[]> => listToolUses(trx, provider),
  };
}

type VersionId = Pick<ImportedVersion, 'id' | 'version'>;

async function findDefinition(
  trx: Knex,
  name: string,
  known?: VersionId,
): Promise<ImportedVersion | 'unchanged' | null> {
  const isKnown = trx.raw('id = ? AND version = ?', [known?.id ?? null, known?.version ?? null]);
  const definition = trx.raw('CASE WHEN ? THEN NULL ELSE definition END AS definition', [isKnown]);
  const row = await trx<ImportedProviderRow>('imported_providers')
    .where({ name })
    .first<(VersionId & { definition: string | null }) | undefined>('id', 'version', definition);
  if (!row) return null;
  return row.definition === null ? 'unchanged' : { ...row, definition: row.definition };
}

/** A tool of an agent that calls an operation of a provider. */
export interface ToolUse {
  agentId: string;
  agentName: string;
  toolName: string;
  /** The name of the operation, or of its tool. */
  operation: string;
}

/** Lists the tools of the current versions of agents that call operations of a provider. */
async function listToolUses(trx: Knex, provider: string): Promise<ToolUse[]> {
  const { rows } = await trx.raw<{ rows: ToolUse[] }>(toolUses, { provider });
  return rows;
}

const toolUses = `
SELECT a.id AS "agentId", v.name AS "agentName", t.tool ->> 'name' AS "toolName",
  coalesce(t.tool -> 'config' ->> 'tool', t.tool ->> 'name') AS operation
FROM agents a
JOIN agent_versions v ON v.agent_id = a.id AND v.version = a.current_version
CROSS JOIN jsonb_array_elements(v.available_tools) AS t (tool)
WHERE a.deleted_at IS NULL AND t.tool ->> 'type' = 'mcp' AND t.tool -> 'config' ->> 'provider' = :provider
ORDER BY v.name, t.tool ->> 'name'
LIMIT 1000`;

function toEntry(row: Omit<ImportedProviderRow, 'definition'>): ImportedProviderEntry {
  const { id, name, version, title, description, category } = row;
  return {
    ...{ id, name, version, title, description, category },
    authTypes: row.auth_types,
    operationNames: row.operation_names,
    updatedAt: row.updated_at.toISOString(),
  };
}

function toColumns(values: Omit<NewImportedProvider, 'id' | 'createdBy'>) {
  const { name, title, description, category, authTypes, operationNames, definition } = values;
  return {
    ...{ name, title, description, category, definition },
    auth_types: authTypes,
    operation_names: operationNames,
  };
}
