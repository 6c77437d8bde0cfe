import { HoldfastError } from '../../domain/errors.ts';
import type { FileLimits } from '../../domain/file.ts';
import { measureImage, type ImageMeasures } from './measure-image.ts';

/** The bytes of the beginning of a file by which it is measured: enough for images behind large colour profiles. */
export const headBytes = 1024 * 1024;

/** Measures that are read from the beginning of a file. */
export type HeadMeasures = Partial<ImageMeasures>;

/** The types of images that models see; one of them without measures is broken. */
const shownImages = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/**
 * Measures an image by its header, so that one that would unpack to more memory than a reader has is refused unseen.
 * @throws HoldfastError `PAYLOAD_TOO_LARGE`, or `DOCUMENT_UNREADABLE` for an image whose header cannot be read
 */
export function measureFile(head: Uint8Array, mediaType: string, { maxPixels }: FileLimits): HeadMeasures {
  if (!mediaType.startsWith('image/')) return {};
  const measures = measureImage(head);
  if (!measures) {
    if (!shownImages.has(mediaType)) return {};
    const message = `Expected an image of type ${mediaType}, found one whose width and height cannot be read.`;
    throw new HoldfastError('DOCUMENT_UNREADABLE', message);
  }
  const { width, height } = measures;
  if (width * height <= maxPixels) return measures;
  const message = `The image has ${width} × ${height} pixels, more than the ${maxPixels / 1_000_000} million that are accepted.`;
  throw new HoldfastError('PAYLOAD_TOO_LARGE', message);
}
