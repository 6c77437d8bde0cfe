import { createFileRemovalQueue, createFileRemovalRepository } from './file-removal-repository.ts';
import type { Removable } from './removal-queue.ts';
import { unusedFileDays } from '../../domain/file.ts';
import type { MayContinue, RemovalDependencies } from './removal.ts';

const hourMs = 60 * 60_000;
const filesPerList = 100;

/** So many failures in a row mean that the bucket is unreachable, not that it keeps one object. */
const mostFailures = 3;

/** Removes uploads that broke off with their process, and the objects of deleted files from the bucket. */
export async function removeDeletedFiles(
  dependencies: RemovalDependencies,
  mayContinue: MayContinue,
): Promise<void> {
  const queue = createFileRemovalQueue(dependencies.database.system);
  // No upload takes so long: the server ends its request before.
  const unfinished = await queue.listUnfinished(new Date(Date.now() - hourMs), filesPerList);
  await removeAll(dependencies, unfinished, mayContinue);
  await removeObjects(dependencies, mayContinue);
}

/** Removes files that were uploaded {@link unusedFileDays} days ago and that no message names. */
export async function removeUnusedFiles(
  dependencies: RemovalDependencies,
  mayContinue: MayContinue,
): Promise<void> {
  const before = new Date(Date.now() - unusedFileDays * 24 * hourMs);
  const queue = createFileRemovalQueue(dependencies.database.system);
  let after: Removable | undefined;
  do {
    const files = await queue.listUnused(before, { after, limit: filesPerList });
    await removeAll(dependencies, files, mayContinue);
    after = files.at(-1);
  } while (after && mayContinue());
}

/** Removes files. One that fails is left to a later call. */
async function removeAll(
  { database, logger }: RemovalDependencies,
  files: Removable[],
  mayContinue: MayContinue,
): Promise<void> {
  for (const { id, workspaceId } of files) {
    if (!mayContinue()) break;
    try {
      await database.inWorkspace(workspaceId, (trx) => createFileRemovalRepository(trx).removeUnused(id));
    } catch (error) {
      logger.warn({ err: error, workspaceId, fileId: id }, 'a file that nobody has could not be removed');
    }
  }
}

/** Objects stay in the queue until the bucket has removed them, also when it is unreachable for days. */
async function removeObjects(
  { database, logger, bucket }: RemovalDependencies,
  mayContinue: MayContinue,
): Promise<void> {
  if (!bucket) return;
  const queue = createFileRemovalQueue(database.system);
  while (mayContinue()) {
    const objects = await queue.takeObjects(filesPerList);
    if (objects.length === 0) return;
    let failures = 0;
    for (const object of objects) {
      try {
        await bucket.remove(object);
        await queue.finishObject(object.key);
        failures = 0;
      } catch (error) {
        logger.warn({ err: error, objectKey: object.key }, 'an object of a deleted file was not removed');
        failures += 1;
        // The bucket is unreachable, so the others would fail too; each is tried again after a pause.
        if (failures === mostFailures) return;
      }
    }
  }
}
