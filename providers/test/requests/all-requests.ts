import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ProviderRequests } from './request-case.ts';

const helpers = new Set(['all-requests.ts', 'request-case.ts']);

/** The request cases of every provider that has some, by its name, which is the name of the file. */
export async function readRequestCases(): Promise<Map<string, ProviderRequests>> {
  const files = (await readdir(import.meta.dirname)).filter((file) => !helpers.has(file));
  const entries = files.map(async (file) => {
    const module = (await import(path.join(import.meta.dirname, file))) as Record<string, ProviderRequests>;
    const [requests] = Object.values(module);
    if (!requests) throw new Error(`${file} exports no requests`);
    return [path.basename(file, '.ts'), requests] as const;
  });
  return new Map(await Promise.all(entries));
}
