/** How much memory files may take that are being taken in, all of them together. */
export interface UploadMemory {
  /** False when there is no room for so many bytes more. */
  take: (bytes: number) => boolean;
  give: (bytes: number) => void;
}

/** Builds an empty room for so many bytes. */
export function createUploadMemory(maxBytes: number): UploadMemory {
  let left = maxBytes;
  return {
    take: (bytes) => {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    },
    give: (bytes) => void (left += bytes),
  };
}
