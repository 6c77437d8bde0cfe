import { strFromU8, unzipSync, zipSync, type Unzipped } from 'fflate';
import mammoth from 'mammoth';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { unreadable } from './unreadable.ts';

/** The maximum number of bytes of all unpacked parts of a document together. */
const maxUnpackedBytes = 160 * 1024 * 1024;
const maxFiles = 5000;

/**
 * Reads a DOCX document as Markdown.
 * @throws HoldfastError `DOCUMENT_UNREADABLE`
 */
export async function readDocx(bytes: Uint8Array): Promise<string> {
  const files = unpack(bytes);
  const types = files['[Content_Types].xml'];
  if (!types || !strFromU8(types).includes('wordprocessingml')) {
    throw unreadable('Expected text, Markdown, HTML, PDF or DOCX; found a ZIP archive of another kind.');
  }
  // Packed again without compression and pictures, so that the library cannot unpack more than these bytes.
  const buffer = Buffer.from(zipSync(files, { level: 0 }));
  const { value } = await mammoth.convertToHtml(
    { buffer },
    { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) },
  );
  return htmlToMarkdown(value);
}

/** Unpacks the XML parts. fflate allocates the declared size, so a part that declares less than it holds is cut off. */
function unpack(bytes: Uint8Array): Unzipped {
  let unpackedBytes = 0;
  let count = 0;
  return unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!/\.(xml|rels)$/i.test(name)) return false;
      unpackedBytes += originalSize;
      count += 1;
      if (unpackedBytes > maxUnpackedBytes || count > maxFiles) {
        throw unreadable('The document unpacks to more than can be read.');
      }
      return true;
    },
  });
}
