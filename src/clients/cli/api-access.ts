import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { loadClientConfig } from './client-config.ts';
import { HoldfastError } from '../../domain/errors.ts';

/** The options that every command has. */
export interface ApiFlags {
  url?: string;
  key?: string;
  data?: string;
}

/** The address of the API, and the key for it. */
export interface ApiAccess {
  baseUrl: string;
  apiKey: string;
}

const howToStart = 'Start it with "npm start", or name another one with --url and --key.';

/**
 * Finds the API: by the flags, else by the environment, else the one that runs from the data folder.
 * @throws HoldfastError that names the missing setting and how to set it
 */
export function findApiAccess(flags: ApiFlags, config: ReturnType<typeof loadClientConfig>): ApiAccess {
  const dataDir = flags.data === undefined ? config.dataDir : path.resolve(flags.data);
  const localUrl = readLocalUrl(dataDir);
  const baseUrl = flags.url ?? config.url ?? localUrl;
  if (baseUrl === undefined) {
    throw new HoldfastError('SERVICE_UNAVAILABLE', `No Holdfast runs from ${dataDir}. ${howToStart}`);
  }
  const localKey = isSameOrigin(baseUrl, localUrl)
    ? readText(path.join(dataDir, 'development-key'))
    : undefined;
  const apiKey = flags.key ?? config.apiKey ?? localKey?.trim();
  if (apiKey) return { baseUrl, apiKey };
  const message = `No key for ${baseUrl}: give one with --key or in HOLDFAST_API_KEY.`;
  throw new HoldfastError('UNAUTHORIZED', message);
}

/** Returns the message for an address at which no API answers. */
export function toNotRunningMessage(baseUrl: string): string {
  return `Holdfast does not answer at ${baseUrl}. ${howToStart}`;
}

function readLocalUrl(dataDir: string): string | undefined {
  const text = readText(path.join(dataDir, 'running.json'));
  if (text === undefined) return undefined;
  try {
    const running = JSON.parse(text) as { api?: unknown } | null;
    return typeof running?.api === 'string' ? running.api : undefined;
  } catch {
    return undefined;
  }
}

// The development key belongs to the Holdfast of this folder and is not sent to any other address.
function isSameOrigin(url: string, localUrl: string | undefined): boolean {
  return localUrl !== undefined && URL.parse(url)?.origin === URL.parse(localUrl)?.origin;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
