import { imageSize } from 'image-size';

/** The width and height of an image in pixels. */
export interface ImageMeasures {
  width: number;
  height: number;
}

/** Reads the measures of an image from its header, without decoding it; null when they are not found there. */
export function measureImage(head: Uint8Array): ImageMeasures | null {
  try {
    const { width, height } = imageSize(head);
    return width > 0 && height > 0 ? { width: Math.round(width), height: Math.round(height) } : null;
  } catch {
    return null;
  }
}
