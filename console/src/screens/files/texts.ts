import type { StoredFile } from '../../api/types.ts';
import { formatCount } from '../../ui/format.ts';

/** The name of a file, or words in its place. */
export const toFileName = ({ name }: Pick<StoredFile, 'name'>) => name ?? 'without a name';

/** The measures of an image, or the pages of a document; empty for other files. */
export function toSizeInSight({ width, height, pages }: StoredFile): string {
  if (width !== null && height !== null) return `${formatCount(width)} × ${formatCount(height)} pixels`;
  if (pages !== null) return `${formatCount(pages)} ${pages === 1 ? 'page' : 'pages'}`;
  return '';
}

/** The largest files that are shown, in bytes. */
const mostImageBytes = 20_000_000;
const mostTextBytes = 2_000_000;

const textTypes = ['application/json', 'application/xml', 'application/yaml', 'application/x-ndjson'];

/** How a file can be shown: as an image, as text, or not at all. */
export function toPreview({ mediaType, size }: StoredFile): 'image' | 'text' | 'large' | 'none' {
  if (mediaType.startsWith('image/')) return size <= mostImageBytes ? 'image' : 'large';
  if (mediaType.startsWith('text/') || textTypes.includes(mediaType))
    return size <= mostTextBytes ? 'text' : 'large';
  return 'none';
}
