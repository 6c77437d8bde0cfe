import { createRedactor, type Redact } from '../domain/redact.ts';
import type { ModelsConfig } from './models-config.ts';
import { hostedVendors } from './vendor-catalogue.ts';

const keyPatterns = [...hostedVendors.values()]
  .flatMap(({ keyPattern }) => keyPattern ?? [])
  .concat(/\bBearer\s+\S{4,}/gi);

/** Creates a function that redacts the operator's keys, `anotherKey`, and every text that looks like a vendor's key. */
export function createKeyRedactor(config: ModelsConfig, anotherKey?: string): Redact {
  const keys = [...Object.values(config).map((settings) => settings?.apiKey), anotherKey];
  const { redact } = createRedactor(keys.filter((key) => key !== undefined));
  return (text) => keyPatterns.reduce((rest, pattern) => rest.replace(pattern, '[redacted]'), redact(text));
}
