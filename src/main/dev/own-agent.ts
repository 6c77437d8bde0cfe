import { createHoldfastClient } from '../../clients/client/index.ts';

/** Finds the name of the newest agent that a push of code has made; null when there is none. */
export async function findOwnAgent(baseUrl: string, apiKey: string): Promise<string | null> {
  const { items } = await createHoldfastClient({ baseUrl, apiKey }).agents.list({ limit: 100 });
  const own = items.filter(({ project }) => project !== null);
  const [newest] = own.sort((first, second) => second.createdAt.localeCompare(first.createdAt));
  return newest?.name ?? null;
}
