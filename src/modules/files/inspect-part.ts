import { HoldfastError } from '../../domain/errors.ts';
import type { PageCounter } from './count-pages.ts';
import { detectFileType } from './detect-file-type.ts';
import { headBytes } from './measure-file.ts';
import { measureImage } from './measure-image.ts';

/** Facts about a part of a tool result. */
interface PartFacts {
  mediaType: string;
  pages?: number | null;
  width?: number;
  height?: number;
}

interface PartToInspect {
  bytes: Uint8Array;
  name?: string | undefined;
  /** The type that the tool has named, which may be wrong. */
  mediaType: string;
}

const unknownType = 'application/octet-stream';

const isSeen = (type: string): boolean => /^(?:image|audio|video)\/|^application\/pdf$/.test(type);

/** Vendors refuse a request with an image or a PDF that is none, so the name of such a type is not believed. */
const isCheckedByVendors = (type: string): boolean => /^(?:image\/|application\/pdf\b)/i.test(type);

/**
 * Finds the facts that decide whether models get a part of a tool result: a server may name a JPEG a PNG, or a page that
 * says "not found" an image. Other types stay as the tool has named them.
 */
export async function inspectPart(
  part: PartToInspect,
  { countPages, signal }: { countPages?: PageCounter | undefined; signal: AbortSignal },
): Promise<PartFacts> {
  const { bytes, name = null, mediaType: declared } = part;
  const head = bytes.subarray(0, headBytes);
  const found = await detectFileType(head, { name, declared });
  if (found === 'application/pdf') return { mediaType: found, pages: await count(bytes, countPages, signal) };
  if (!isSeen(found)) return { mediaType: isCheckedByVendors(declared) ? found : declared };
  if (!found.startsWith('image/') || found === 'image/svg+xml') return { mediaType: found };
  const measures = measureImage(head);
  return measures ? { mediaType: found, ...measures } : { mediaType: unknownType };
}

/** Null for a PDF that cannot be counted, which models then get as text. */
async function count(
  bytes: Uint8Array,
  countPages: PageCounter | undefined,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    return (await countPages?.(() => Promise.resolve(Uint8Array.from(bytes)), signal)) ?? null;
  } catch (error) {
    if (error instanceof HoldfastError) return null;
    throw error;
  }
}
