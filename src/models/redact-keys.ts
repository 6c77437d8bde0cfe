import { createRedactor, type Redact } from '../domain/redact.ts';
import type { ModelsConfig } from './models-config.ts';

// Keys as vendors shape them, also when a message shows them shortened with asterisks.
const keyPatterns = [/\bsk-[\w*.-]{4,}/g, /\bAIza[\w*-]{8,}/g, /\bBearer\s+\S{4,}/gi];

/** Makes a function that takes keys, those configured and one more, and everything that looks like one out of a text. */
export function createKeyRedactor(config: ModelsConfig, another?: string): Redact {
  const { openaiApiKey, anthropicApiKey, googleApiKey, compatibleApiKey } = config;
  const keys = [openaiApiKey, anthropicApiKey, googleApiKey, compatibleApiKey, another].filter(
    (key) => key !== undefined,
  );
  const { redact } = createRedactor(keys);
  return (text) => keyPatterns.reduce((rest, pattern) => rest.replace(pattern, '[redacted]'), redact(text));
}
