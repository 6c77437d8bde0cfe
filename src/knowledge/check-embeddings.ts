import { HoldfastError } from '../domain/errors.ts';

/** The longest vector that pgvector stores, and longer than any that a known model makes. */
const maxDimensions = 16_000;

/**
 * Checks what a model answered with: a vector for each text, all of one length that can be stored.
 * @throws HoldfastError `MODEL_BAD_RESPONSE`
 */
export function checkEmbeddings(model: string, vectors: number[][], texts: number): void {
  if (vectors.length !== texts) {
    throw badResponse(`${model} answered ${vectors.length} embeddings for ${texts} texts.`);
  }
  const lengths = new Set(vectors.map(({ length }) => length));
  const [dimensions = 0] = lengths;
  if (lengths.size !== 1 || dimensions === 0 || dimensions > maxDimensions) {
    const found = [...lengths].slice(0, 5).join(', ');
    throw badResponse(
      `Expected embeddings of one length from 1 to ${maxDimensions}, found ${found} from ${model}.`,
    );
  }
}

/** An embedding without a direction is as near to one text as to any other. @throws HoldfastError `MODEL_BAD_RESPONSE` */
export function checkDirection(model: string, vector: Float32Array): void {
  if (vector.every((value) => value === 0))
    throw badResponse(`${model} answered an embedding of nothing but zeros.`);
}

function badResponse(message: string): HoldfastError {
  return new HoldfastError('MODEL_BAD_RESPONSE', message);
}
