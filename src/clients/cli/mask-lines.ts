import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonObject } from '../../domain/json.ts';
import { createMasker, type MaskLine, type Masker } from '../../engines/masking/mask-recordings.ts';
import { parseMaskingRules } from '../../engines/masking/masking-rules.ts';

/** The options of a command that masks what it writes. */
export interface MaskOptions {
  /** A file with rules. */
  mask?: string;
  /** A module whose default export masks a line. */
  maskFunction?: string;
}

/**
 * Loads the rules and the function of a command; null when it has neither.
 * @throws Error that names the file
 */
export async function loadMasker({ mask, maskFunction }: MaskOptions): Promise<Masker | null> {
  if (mask === undefined && maskFunction === undefined) return null;
  const rules = parseMaskingRules(mask === undefined ? {} : await readRules(mask));
  return createMasker(rules, maskFunction === undefined ? undefined : await loadFunction(maskFunction));
}

async function readRules(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot read the masking rules in ${file}: ${reason}`, { cause: error });
  }
}

async function loadFunction(file: string): Promise<MaskLine> {
  const loaded = (await import(pathToFileURL(path.resolve(file)).href)) as { default?: unknown };
  if (typeof loaded.default === 'function') return loaded.default as MaskLine;
  throw new Error(`${file}: expected a function as default export, found ${typeof loaded.default}.`);
}

/** Masks lines of an export, which come conversation by conversation. It holds the lines of one conversation. */
export async function* maskLines(lines: AsyncIterable<string>, masker: Masker): AsyncGenerator<string> {
  let conversation: JsonObject[] = [];
  let id: string | null = null;
  for await (const text of lines) {
    const line = JSON.parse(text) as JsonObject & { conversation: { id: string } };
    if (line.conversation.id !== id) yield* maskConversation(conversation, masker);
    if (line.conversation.id !== id) conversation = [];
    id = line.conversation.id;
    conversation.push(line);
  }
  yield* maskConversation(conversation, masker);
}

async function* maskConversation(lines: JsonObject[], masker: Masker): AsyncGenerator<string> {
  for (const line of await masker.maskConversation(lines)) yield JSON.stringify(line);
}
