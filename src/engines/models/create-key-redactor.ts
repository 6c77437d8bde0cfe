import { createRedactor, type Redact, type Redactor } from '../../domain/redact.ts';
import type { ModelsConfig } from './models-config.ts';
import { hostedVendors } from './vendor-catalogue.ts';

const keyPatterns = [...hostedVendors.values()]
  .flatMap(({ keyPattern }) => keyPattern ?? [])
  .concat(/\bBearer\s+\S{4,}/gi);

/** Shorter keys, such as `ollama` for a server that needs none, are words that an answer may contain. */
const leastKeyLength = 12;

function listKeys(config: ModelsConfig, anotherKey: string | undefined): string[] {
  const keys = [...Object.values(config).map((settings) => settings?.apiKey), anotherKey];
  return keys.filter((key) => key !== undefined);
}

/** Creates a function that redacts the operator's keys, `anotherKey`, and every text that looks like a vendor's key. */
export function createKeyRedactor(config: ModelsConfig, anotherKey?: string): Redact {
  const { redact } = createRedactor(listKeys(config, anotherKey));
  return (text, options) =>
    keyPatterns.reduce((rest, pattern) => rest.replace(pattern, '[redacted]'), redact(text, options));
}

/**
 * Creates the redactor of answers, since a model's server may repeat the key that it was sent. Texts that only look
 * like a key are kept: an answer may be about keys.
 */
export function createAnswerRedactor(config: ModelsConfig, anotherKey?: string): Redactor {
  return createRedactor(listKeys(config, anotherKey).filter(({ length }) => length >= leastKeyLength));
}
