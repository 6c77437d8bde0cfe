import { readFile } from 'node:fs/promises';
import { dollarMessage, parseDollars } from '../../domain/dollars.ts';
import { HoldfastError } from '../../domain/errors.ts';

/** Creates the error of an option that has no meaning. */
export function invalid(message: string): HoldfastError {
  return new HoldfastError('INVALID_INPUT', message);
}

/** Parses the text of an option, or of its file, as JSON. The API checks what it is. */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(`${name} is not JSON.`);
  }
}

/** Parses the text of an option as a number. */
export function parseNumber(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw invalid(`${flag} is "${text}": expected a number.`);
}

/** Parses the text of an option as US dollars, and returns credits as decimal text. */
export function parseCredits(text: string, flag: string): string {
  const credits = parseDollars(text);
  if (credits !== null) return String(credits);
  throw invalid(`${flag} is "${text}": ${dollarMessage}.`);
}

/** Reads the file of an option. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw invalid(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads the file of an option as JSON. */
export async function readJson<Value = object>(file: string): Promise<Value> {
  return parseJson(await readText(file), file) as Value;
}
