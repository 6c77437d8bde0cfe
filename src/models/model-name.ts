import { modelProviders } from './model-providers.ts';
import type { ModelsConfig } from './models-config.ts';

/** The one model without a provider. */
export const demoModelName = 'demo';

/** A model name taken apart: everything after the first slash is the provider's own id, slashes included. */
export interface ModelName {
  provider: string;
  modelId: string;
}

/** Takes `provider/model` apart; a name without a slash is all provider. */
export function parseModelName(name: string): ModelName {
  const slash = name.indexOf('/');
  if (slash < 0) return { provider: name, modelId: '' };
  return { provider: name.slice(0, slash), modelId: name.slice(slash + 1) };
}

// Ids end up in URLs of some providers, so a path that climbs is no model.
const modelIdPattern = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.:@+~/-]{1,200}$/;

interface ModelNameOptions {
  /** Whether the model is called through a connection, which may name the address of its server. @default false */
  hasConnection?: boolean;
}

/**
 * Tells whether a model can be used with this configuration: null, or one sentence that says why not.
 * A missing key is no reason: it may be set before the first call, which otherwise says so.
 */
export function checkModelName(
  config: ModelsConfig,
  name: string,
  { hasConnection = false }: ModelNameOptions = {},
): string | null {
  if (name === demoModelName) return null;
  const { provider: providerName, modelId } = parseModelName(name);
  const provider = findProvider(providerName);
  if (!provider) {
    const known = Object.keys(modelProviders).map((prefix) => `${prefix}/…`);
    return `Expected a model named ${known.join(', ')} or ${demoModelName}, found "${name.slice(0, 100)}".`;
  }
  if (!modelIdPattern.test(modelId)) {
    return `Expected the name of a model after "${providerName}/", found "${modelId.slice(0, 100)}".`;
  }
  const baseUrl = provider.baseUrl(config);
  if (hasConnection && baseUrl === undefined) return null;
  if (baseUrl === undefined) {
    return `Models named ${providerName}/… need the address of their server: set ${provider.baseUrlVariable}.`;
  }
  if (!URL.canParse(baseUrl)) return `${provider.baseUrlVariable} is not a URL.`;
  return null;
}

/** The provider of a prefix, unless there is none; names such as `constructor` are none. */
export function findProvider(name: string) {
  return Object.hasOwn(modelProviders, name) ? modelProviders[name] : undefined;
}
