import type { FileRef } from '../../domain/file.ts';
import type { FileDependencies, FileStorageParts } from './file-dependencies.ts';
import { recordRefusal, type RefusedFile } from './record-refusal.ts';
import type { FileScan } from './scan-file.ts';

interface ScanParts extends Pick<FileStorageParts, 'database'>, Pick<FileDependencies, 'scanFile'> {}

interface BytesToScan extends Omit<RefusedFile, 'error'> {
  bytes: Uint8Array;
  signal: AbortSignal;
}

/** The scanner has its timeout for each piece, so that a slow one can read a large file to its end. */
const pieceBytes = 512 * 1024;

/**
 * Scans bytes that are in memory, before they are stored. Does nothing without a scanner. A refusal is recorded in the
 * audit log. A signal that aborts ends the scan without a verdict.
 * @throws HoldfastError `FILE_REFUSED`, or `SERVICE_UNAVAILABLE` without a verdict
 */
export async function scanBytes(
  { database, scanFile }: ScanParts,
  ref: FileRef,
  { bytes, signal, ...file }: BytesToScan,
): Promise<void> {
  if (!scanFile) return;
  const scan = scanFile(file.name);
  signal.addEventListener('abort', scan.cancel, { once: true });
  try {
    if (signal.aborted) scan.cancel();
    await writePieces(scan, bytes);
    await scan.finish();
  } catch (error) {
    await recordRefusal({ database }, ref, { ...file, error });
    throw error;
  } finally {
    signal.removeEventListener('abort', scan.cancel);
    scan.cancel();
  }
}

async function writePieces(scan: FileScan, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.byteLength; from += pieceBytes)
    await scan.write(bytes.subarray(from, from + pieceBytes));
}
