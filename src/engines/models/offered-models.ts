import { z } from 'zod';
import { knownModels } from '../../domain/known-models.ts';
import type { ModelKind, ModelOffer } from '../../domain/model-offer.ts';
import { priceList } from '../../domain/price-list.ts';
import { findModelWarning, parseModelName } from './model-name.ts';
import { toBearerHeaders } from './model-vendor.ts';
import type { ModelsConfig } from './models-config.ts';

/** How long the list of a server is kept, in milliseconds. */
const keptMs = 60_000;

/** How long a server may take to list its models, in milliseconds. */
const timeoutMs = 3_000;

/** The most models of one server that are listed. */
const mostListed = 200;

/** The list of models that servers of the protocol answer with. */
const serverListSchema = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })) });

/** Creates the function that lists the models that this configuration knows: those of the lists, and those of its own server. */
export function createModelOffers(
  config: ModelsConfig,
  request: typeof fetch = fetch,
): () => Promise<ModelOffer[]> {
  const known = new Set([...Object.keys(knownModels.models), ...Object.keys(priceList.models)]);
  let kept: { at: number; names: Promise<string[]> } | undefined;

  function listServed(): Promise<string[]> {
    if (kept && performance.now() - kept.at < keptMs) return kept.names;
    const names = askServer(config, request).catch(() => {
      kept = undefined;
      return [];
    });
    kept = { at: performance.now(), names };
    return names;
  }

  return async () => {
    const served = await listServed();
    return [...known, ...served].map((name) => ({
      name,
      kind: toKind(name),
      warning: findModelWarning(config, name),
    }));
  };
}

function toKind(name: string): ModelKind {
  const price = Object.hasOwn(priceList.models, name) ? priceList.models[name] : undefined;
  if (price?.perImage !== undefined) return 'image';
  return price?.output === 0 && name.includes('embedding') ? 'embedding' : 'language';
}

/** Asks the server of models named `compatible/…`; no models without one. */
async function askServer({ compatible }: ModelsConfig, request: typeof fetch): Promise<string[]> {
  if (compatible?.baseUrl === undefined) return [];
  const response = await request(`${compatible.baseUrl.replace(/\/$/, '')}/models`, {
    headers: toBearerHeaders(compatible.apiKey ?? ''),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { data } = serverListSchema.parse(await response.json());
  const names = data.slice(0, mostListed).map(({ id }) => `compatible/${id}`);
  return names.filter((name) => parseModelName(name).modelId !== '');
}
