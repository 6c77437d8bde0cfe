import { refuseSkill } from './skill-refusal.ts';

/** A file of an archive, by its name there. */
export interface ArchiveEntry {
  name: string;
  bytes: Buffer;
}

/**
 * Says whether a file of an archive is read, whose size the archive gives.
 * @throws HoldfastError `INVALID_INPUT` for one that is too large, or too many
 */
export type TakeEntry = (name: string, size: number) => boolean;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws HoldfastError `INVALID_INPUT` for a name that is not UTF-8 */
export function toEntryName(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw refuseSkill('file', 'the archive has a file whose name is not UTF-8');
  }
}
