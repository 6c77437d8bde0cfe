/** How much memory files may take that are being taken in, all of them together. */
export interface UploadRoom {
  /** False when there is no room for so many bytes more. */
  take: (bytes: number) => boolean;
  give: (bytes: number) => void;
}

/** Builds an empty room for so many bytes. */
export function createUploadRoom(maxBytes: number): UploadRoom {
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
