import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/database/connect-database.ts';
import { createImportedProviderRepository, type ImportedVersion } from './imported-provider-repository.ts';
import type { FieldError } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/json.ts';
import { toImportedProvider, type ImportedDefinition } from '../../engines/providers/imported-definition.ts';
import {
  createProviderEntry,
  type FindProviderEntry,
  type ProviderEntry,
} from '../../engines/providers/provider-entry.ts';
import type { ProviderRegistry } from '../../engines/providers/registry.ts';
import { schemaChecksOf } from '../../engines/tools/json-schema/schema-checks.ts';

/** The maximum number of characters of definitions that a process keeps. */
const mostCharacters = 32 * 1024 * 1024;

interface FinderOptions {
  database: Pick<Database, 'inWorkspace'>;
  catalogue: Pick<ProviderRegistry, 'findEntry'>;
  /** Whether connections use a name for something else, so that no provider is imported by it. */
  isReserved: (name: string) => boolean;
}

interface KeptVersion extends Pick<ImportedVersion, 'id' | 'version'> {
  entry: ProviderEntry;
  characters: number;
}

/**
 * Builds the finding of the providers of workspaces. Each search of an imported one asks the database for its version, so that
 * all processes use a new version at once; its definition is read again only then.
 */
export function createProviderFinder({ database, catalogue, isReserved }: FinderOptions): FindProviderEntry {
  const kept = new LRUCache<string, KeptVersion>({
    maxSize: mostCharacters,
    sizeCalculation: ({ characters }) => characters,
  });
  return async ({ workspaceId, name }) => {
    const own = await catalogue.findEntry(name);
    if (own || isReserved(name)) return own;
    const key = `${workspaceId} ${name}`;
    const known = kept.get(key);
    const found = await database.inWorkspace(workspaceId, (trx) =>
      createImportedProviderRepository(trx).findDefinition(name, known),
    );
    if (found === 'unchanged') return known?.entry;
    kept.delete(key);
    if (!found) return undefined;
    const { id, version, definition } = found;
    const entry = toEntry(workspaceId, definition);
    kept.set(key, { id, version, entry, characters: definition.length });
    return entry;
  };
}

function toEntry(workspaceId: string, definition: string): ProviderEntry {
  const check = (schema: JsonObject, value: JsonObject) => checkArguments(workspaceId, schema, value);
  const provider = toImportedProvider(JSON.parse(definition) as ImportedDefinition, check);
  return createProviderEntry(provider, 'imported');
}

/** The vendor checks its requests again, so that a schema that cannot be used lets everything through. */
async function checkArguments(
  workspaceId: string,
  schema: JsonObject,
  value: JsonObject,
): Promise<FieldError[]> {
  const check = await schemaChecksOf(workspaceId).checkForeign(schema, value);
  if ('fields' in check) return check.fields;
  if ('problem' in check) return [];
  return [{ field: '', message: `cannot be checked: ${check.refusal}; send less data` }];
}
