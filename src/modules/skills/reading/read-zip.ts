import { crc32, inflateRawSync } from 'node:zlib';
import { refuseSkill } from './skill-refusal.ts';
import { toEntryName, type ArchiveEntry, type TakeEntry } from './archive-entry.ts';

const signatures = { end: 0x06054b50, central: 0x02014b50, local: 0x04034b50 };
const sizes = { end: 22, central: 46, local: 30 };

/** The longest comment at the end of an archive, in bytes. */
const longestComment = 0xffff;

/** The file type in the attributes of a file that was packed on Unix, and the types of plain files and folders. */
const typeMask = 0o170000;
const plainTypes = new Set([0, 0o100000, 0o040000]);

/**
 * Reads the files of a ZIP archive by its central directory (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT). No
 * file is unpacked further than the size with which `take` has accepted it.
 * @throws HoldfastError `INVALID_INPUT`
 */
export function readZip(archive: Buffer, take: TakeEntry): ArchiveEntry[] {
  try {
    return [...listEntries(archive)].flatMap((entry) => {
      if (entry.name.endsWith('/') || !take(entry.name, entry.size)) return [];
      return [{ name: entry.name, bytes: unpack(archive, entry) }];
    });
  } catch (error) {
    // An offset that lies outside of the archive.
    if (error instanceof RangeError) throw broken('it ends too early');
    throw error;
  }
}

interface CentralEntry {
  name: string;
  method: number;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

function* listEntries(archive: Buffer): Generator<CentralEntry> {
  const end = findEnd(archive);
  const count = archive.readUInt16LE(end + 10);
  let place = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (archive.readUInt32LE(place) !== signatures.central) throw broken('its list of files is damaged');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((at) =>
      archive.readUInt16LE(place + at),
    );
    const nameEnd = place + sizes.central + (nameLength ?? 0);
    if (nameEnd > archive.length) throw broken('it ends too early');
    const entry = {
      name: toEntryName(archive.subarray(place + sizes.central, nameEnd)),
      method: archive.readUInt16LE(place + 10),
      crc: archive.readUInt32LE(place + 16),
      packed: archive.readUInt32LE(place + 20),
      size: archive.readUInt32LE(place + 24),
      offset: archive.readUInt32LE(place + 42),
    };
    if (archive.readUInt16LE(place + 8) & 1) throw refuseSkill(entry.name, 'is encrypted');
    // The upper half has the mode of a file that was packed on Unix.
    if (!plainTypes.has((archive.readUInt32LE(place + 38) >>> 16) & typeMask))
      throw refuseSkill(entry.name, 'is a link or a device: expected a file');
    yield entry;
    place = nameEnd + (extraLength ?? 0) + (commentLength ?? 0);
  }
}

function findEnd(archive: Buffer): number {
  const last = archive.length - sizes.end;
  for (let place = last; place >= Math.max(0, last - longestComment); place -= 1)
    if (archive.readUInt32LE(place) === signatures.end) return place;
  throw broken('it has no list of files');
}

function unpack(archive: Buffer, entry: CentralEntry): Buffer {
  const { name, offset, packed } = entry;
  if (archive.readUInt32LE(offset) !== signatures.local) throw broken(`the file ${name} is damaged`);
  const start = offset + sizes.local + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
  if (start + packed > archive.length) throw broken('it ends too early');
  const bytes = inflate(archive.subarray(start, start + packed), entry);
  if (bytes.length !== entry.size || crc32(bytes) !== entry.crc) throw broken(`the file ${name} is damaged`);
  return bytes;
}

function inflate(packed: Buffer, { name, method, size }: CentralEntry): Buffer {
  if (method === 0) return packed;
  if (method !== 8) throw refuseSkill(name, 'is packed with a method that cannot be read: expected deflate');
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) });
  } catch {
    throw broken(`the file ${name} is damaged, or larger than it says`);
  }
}

function broken(problem: string) {
  return refuseSkill('file', `the ZIP archive cannot be read: ${problem}`);
}
