import type { HostedVendor } from './model-vendor.ts';
import type { ModelsConfig } from './models-config.ts';
import { hostedVendors, localVendors } from './vendor-catalogue.ts';

/** A model name split at its first slash; `modelId` is the vendor's own id and may hold slashes. */
export interface ModelName {
  /** The prefix, such as `openai`; it may be one that no vendor has. */
  vendor: string;
  modelId: string;
}

/** Splits `vendor/model id`; of a name without a slash, all is the vendor. */
export function parseModelName(name: string): ModelName {
  const slash = name.indexOf('/');
  if (slash < 0) return { vendor: name, modelId: '' };
  return { vendor: name.slice(0, slash), modelId: name.slice(slash + 1) };
}

// Some vendors put the id into the path of a URL, so an id with "." or ".." as a segment is refused.
const modelIdPattern = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.:@+~/-]{1,200}$/;

interface ModelNameOptions {
  /** Whether the model is called through a connection, which may name the address of its server. @default false */
  hasConnection?: boolean;
}

/**
 * Checks that a model can be used with this configuration: null, or one sentence that says why not.
 * A missing key is no problem here: the operator may set it before the first call, which fails without it.
 */
export function checkModelName(
  config: ModelsConfig,
  name: string,
  { hasConnection = false }: ModelNameOptions = {},
): string | null {
  if (localVendors.has(name)) return null;
  const { vendor: prefix, modelId } = parseModelName(name);
  const vendor = hostedVendors.get(prefix);
  if (!vendor) {
    const hosted = [...hostedVendors.keys()].map((known) => `${known}/…`).join(', ');
    const local = [...localVendors.keys()].join(' or ');
    return `Expected a model named ${hosted} or ${local}, found "${name.slice(0, 100)}".`;
  }
  if (!modelIdPattern.test(modelId)) {
    return `Expected the name of a model after "${prefix}/", found "${modelId.slice(0, 100)}".`;
  }
  return checkBaseUrl(vendor, { prefix, configured: config[prefix]?.baseUrl, hasConnection });
}

/**
 * Finds out whether a call of this model would lack a key: null, or one sentence that says what to set. The model must
 * have passed {@link checkModelName}.
 */
export function findModelWarning(
  config: ModelsConfig,
  name: string,
  { hasConnection = false }: ModelNameOptions = {},
): string | null {
  const prefix = parseModelName(name).vendor;
  const vendor = hostedVendors.get(prefix);
  if (!vendor?.needsApiKey || hasConnection || config[prefix]?.apiKey !== undefined) return null;
  return (
    `${vendor.apiKeyVariable} is not set for the API. Turns fail until it is set for the workers, or the agent has a ` +
    '`modelConnectionId`.'
  );
}

interface AddressToCheck {
  prefix: string;
  configured: string | undefined;
  hasConnection: boolean;
}

function checkBaseUrl(
  { baseUrlVariable = 'its address', publicBaseUrl }: HostedVendor,
  { prefix, configured, hasConnection }: AddressToCheck,
): string | null {
  const baseUrl = configured ?? publicBaseUrl;
  if (baseUrl !== null) return URL.canParse(baseUrl) ? null : `${baseUrlVariable} is not a URL.`;
  if (hasConnection) return null;
  return `Models named ${prefix}/… need the address of their server: set ${baseUrlVariable}.`;
}
