import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { createImportedProviderRepository } from './imported-provider-repository.ts';
import type { Actor } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { ImportDependencies } from './import-dependencies.ts';

/**
 * Deletes an imported provider.
 * @throws HoldfastError `NOT_FOUND`, also for providers of the catalogue; `CONFLICT` while connections to it exist, since
 * their credentials would go wherever the next document of that name says
 */
export async function deleteImportedProvider(
  { database }: Pick<ImportDependencies, 'database'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  name: string,
): Promise<void> {
  await database.inWorkspace(workspaceId, async (trx) => {
    const providers = createImportedProviderRepository(trx);
    const found = await providers.findForUpdate(name);
    if (!found) throw new HoldfastError('NOT_FOUND', `There is no imported provider ${name}.`);
    const connections = await providers.listConnectionNames(name);
    if (connections.length > 0) {
      const names = connections.map((connection) => `"${connection}"`).join(', ');
      throw new HoldfastError('CONFLICT', `Connections use this provider: ${names}. Delete them first.`);
    }
    const { id, version } = found;
    await createAuditLog(trx).record({ type: 'provider.deleted', subjectId: id, payload: { name, version } });
    await providers.deleteImported(id);
  });
}
