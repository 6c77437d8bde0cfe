import type { Knex } from 'knex';
import type { Database } from '../../../platform/database/connect-database.ts';
import { createAuditLog } from '../../../platform/outbox/audit-log.ts';
import {
  countSealedByKey,
  createSealedRowRepository,
  sealedKinds,
  type SealedKind,
} from './sealed-row-repository.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { KeyRing } from '../../../platform/secrets/key-ring.ts';

interface RotationOptions {
  keyRing: KeyRing;
  /** Adds a key to the ring and makes it the current one. Without it the secrets are sealed under the current key. */
  addKey?: () => void;
  database: Database;
  /** Only counts the secrets under each key, and changes nothing. */
  dryRun: boolean;
  /** @default 100 */
  batchSize?: number;
}

/** The result of a rotation, or of its dry run. */
export interface Rotation {
  /** The key that seals all values afterwards; in a dry run the current one. */
  keyId: string;
  resealed: number;
  /** Values that could not be opened, and stay as they were. */
  unreadable: number;
  /** The number of values by the key that seals them afterwards. */
  byKey: Map<string, number>;
}

/** Any number that no other program on the same database uses for an advisory lock. */
const rotationLock = 7_042_334;

/**
 * Seals every stored secret again under the current key, which `addKey` makes first. Secrets under other keys stay
 * readable all the time. The next rotation finishes one that was interrupted.
 * @throws HoldfastError `SECRETS_UNAVAILABLE` without keys, `CONFLICT` while another rotation runs
 */
export async function rotateKeys(options: RotationOptions): Promise<Rotation> {
  const { database, keyRing } = options;
  // Throws before anything is changed when there are no keys.
  keyRing.currentKeyId();
  if (options.dryRun) return previewRotation(keyRing, database);
  return database.system.transaction(async (lock) => {
    await takeLock(lock);
    options.addKey?.();
    const counts = await resealAll(options);
    return { keyId: keyRing.currentKeyId(), ...counts, byKey: await countSealedByKey(database.system) };
  });
}

async function previewRotation(keyRing: KeyRing, { system }: Database): Promise<Rotation> {
  return { keyId: keyRing.currentKeyId(), resealed: 0, unreadable: 0, byKey: await countSealedByKey(system) };
}

/** Refuses a second rotation: each of the two would write the key file without the new key of the other. */
async function takeLock(lock: Knex): Promise<void> {
  // Holds the lock while other sessions do the work, which may take longer than a session may idle.
  await lock.raw('SET LOCAL idle_in_transaction_session_timeout = 0');
  const { rows } = await lock.raw<{ rows: { taken: boolean }[] }>(
    'SELECT pg_try_advisory_xact_lock(?) AS taken',
    [rotationLock],
  );
  if (rows[0]?.taken !== true)
    throw new HoldfastError('CONFLICT', 'Another rotation of the keys runs already.');
}

type Counts = Pick<Rotation, 'resealed' | 'unreadable'>;

async function resealAll({ keyRing, database, batchSize = 100 }: RotationOptions): Promise<Counts> {
  const counts: Counts = { resealed: 0, unreadable: 0 };
  for (const workspaceId of await database.system('workspaces').orderBy('id').pluck<string[]>('id')) {
    for (const kind of sealedKinds) {
      const found = await resealKind({ keyRing, database, workspaceId, kind, batchSize });
      counts.resealed += found.resealed;
      counts.unreadable += found.unreadable;
    }
  }
  return counts;
}

interface KindOptions {
  keyRing: KeyRing;
  database: Database;
  workspaceId: string;
  kind: SealedKind;
  batchSize: number;
}

async function resealKind({ database, ...options }: KindOptions): Promise<Counts> {
  const counts: Counts = { resealed: 0, unreadable: 0 };
  let batch: Batch = { ...counts, last: null };
  do {
    const { last: after } = batch;
    batch = await database.inWorkspace(options.workspaceId, (trx) => resealBatch(trx, { ...options, after }));
    counts.resealed += batch.resealed;
    counts.unreadable += batch.unreadable;
  } while (batch.last !== null);
  return counts;
}

/** The counts of one batch, and the record after which the next batch begins; null at the end. */
type Batch = Counts & { last: string | null };
type BatchOptions = Omit<KindOptions, 'database'> & { after: string | null };

async function resealBatch(trx: Knex, options: BatchOptions): Promise<Batch> {
  const { keyRing, workspaceId, kind, batchSize, after } = options;
  const rows = createSealedRowRepository(trx, kind);
  const keyId = keyRing.currentKeyId();
  const outdated = await rows.listOutdated({ currentKeyId: keyId, after, limit: batchSize });
  let resealed = 0;
  for (const { recordId, sealed } of outdated) {
    const context = { workspaceId, recordId, purpose: kind.purpose };
    const plaintext = openOrNull(() => keyRing.open(sealed, context));
    if (plaintext === null) continue;
    await rows.reseal(recordId, keyRing.seal(plaintext, context));
    resealed += 1;
  }
  if (resealed > 0) {
    const payload = { keyId, table: kind.table, rows: resealed };
    await createAuditLog(trx).record({ type: 'keys.rotated', subjectId: null, payload });
  }
  const last = outdated.length === batchSize ? (outdated.at(-1)?.recordId ?? null) : null;
  return { resealed, unreadable: outdated.length - resealed, last };
}

/** Returns null for a damaged value, so that the others are still sealed under the new key. */
function openOrNull(open: () => string): string | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof HoldfastError && error.code === 'SECRETS_UNAVAILABLE') return null;
    throw error;
  }
}
