import { HoldfastError } from '../../domain/errors.ts';

/** The longest vector that pgvector stores; no known model makes longer ones. */
const maxDimensions = 16_000;

/**
 * Checks the answer of a model: one vector for each text, all of one length that can be stored.
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

/** Refuses a vector of zeros, which has no direction to compare. @throws HoldfastError `MODEL_BAD_RESPONSE` */
export function checkDirection(model: string, vector: Float32Array): void {
  if (vector.every((value) => value === 0))
    throw badResponse(`${model} answered an embedding of nothing but zeros.`);
}

function badResponse(message: string): HoldfastError {
  return new HoldfastError('MODEL_BAD_RESPONSE', message);
}
