/** Names a chunk by its document and its position. */
export interface ChunkRef {
  documentId: string;
  position: number;
}

/** Scales a vector to length 1, so that scalar products of such vectors are cosines. */
export function toUnitVector(values: number[]): Float32Array {
  const length = Math.hypot(...values.map((value) => (Number.isFinite(value) ? value : 0)));
  return Float32Array.from(values, (value) => (length > 0 && Number.isFinite(value) ? value / length : 0));
}

/** Converts a vector to little-endian float32, the stored form. */
export function toVectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => bytes.writeFloatLE(value, index * 4));
  return bytes;
}

/** Returns the scalar product of a vector and a stored one; null when their lengths differ. */
export function multiply(vector: Float32Array, stored: Buffer): number | null {
  if (stored.length !== vector.length * 4) return null;
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  let sum = 0;
  for (let index = 0; index < vector.length; index += 1) {
    sum += (vector[index] ?? 0) * view.getFloat32(index * 4, true);
  }
  return sum;
}

/** Builds a list that keeps the `size` items with the highest scores. */
export function createBestList<Item>(size: number) {
  let best: { item: Item; score: number }[] = [];
  const trim = () => {
    best = best.sort((one, other) => other.score - one.score).slice(0, size);
  };
  return {
    add: (item: Item, score: number): void => {
      best.push({ item, score });
      if (best.length >= size * 4) trim();
    },
    /** Returns the items, best first. */
    items: (): Item[] => {
      trim();
      return best.map(({ item }) => item);
    },
  };
}
