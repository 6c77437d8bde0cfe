import { readFileSync } from 'node:fs';
import { HoldfastApiError } from '../../../clients/client/index.ts';

/** Returns the number of an option. */
export function toNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw invalid(`--${name} takes a number; found ${JSON.stringify(text)}`);
}

/** Returns the id of a connection with the key of a model; null for the operator's key. */
export function toConnectionId(text: string | undefined): string | null | undefined {
  return text === 'operator' ? null : text;
}

/** Reads the file of an option as JSON. */
export function readJson(file: string | undefined): unknown {
  if (file === undefined) return undefined;
  try {
    return JSON.parse(readText(file)) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalid(`${file}: expected JSON, found something else: ${error.message}`);
  }
}

/** Reads the file of an option. */
export function readText(file: string): string;
export function readText(file: string | undefined): string | undefined;
export function readText(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw invalid(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Creates the error of an option that has no meaning. */
export function invalid(message: string): HoldfastApiError {
  return new HoldfastApiError('INVALID_INPUT', message);
}
