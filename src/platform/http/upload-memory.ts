/** The memory budget of all files that are being uploaded. */
export interface UploadMemory {
  /** Takes bytes from the budget; returns false, and takes none, when too few are left. */
  take: (bytes: number) => boolean;
  give: (bytes: number) => void;
}

/** Builds a budget of `maxBytes`, of which nothing is taken. */
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
