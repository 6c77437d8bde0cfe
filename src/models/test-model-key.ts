import { isJsonObject } from '../domain/json.ts';
import { createRedactor, type Redact } from '../domain/redact.ts';
import { readCapped } from '../egress/capped-body.ts';
import type { GuardedFetch } from '../egress/guarded-fetch.ts';
import { modelProviders } from './model-providers.ts';
import type { ModelsConfig } from './models-config.ts';

interface KeyTest {
  /** A name of {@link modelProviders}. */
  vendor: string;
  apiKey: string;
  /** Where the vendor's API is; null for the vendor's own address. */
  baseUrl: string | null;
  fetch: GuardedFetch;
  timeoutMs: number;
}

const maxAnswerBytes = 1024 * 1024;

/** How each vendor wants its key; the others take it as a bearer token. */
const keyHeaders: Readonly<Record<string, (key: string) => Record<string, string>>> = {
  anthropic: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  google: (key) => ({ 'x-goog-api-key': key }),
};

/** Nothing of the operator's is used for a connection: its key goes to its own address or the vendor's. */
const nothingConfigured: ModelsConfig = {};

/** Asks a vendor for its list of models, which shows whether a key is good and costs nothing. */
export async function testModelKey({ vendor, apiKey, baseUrl, fetch, timeoutMs }: KeyTest) {
  const address = baseUrl ?? modelProviders[vendor]?.baseUrl(nothingConfigured);
  if (address === undefined)
    return {
      ok: false,
      message: 'It has no endpoint: name the address of the API, such as https://host/v1.',
    };
  const { redact } = createRedactor([apiKey]);
  const bearer = apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
  const headers = keyHeaders[vendor]?.(apiKey) ?? bearer;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${address.replace(/\/+$/, '')}/models`, { headers, signal });
    const { bytes } = await readCapped(response, maxAnswerBytes);
    return describe(response.status, new TextDecoder().decode(bytes), redact);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `It cannot be reached: ${redact(reason)}` };
  }
}

function describe(status: number, text: string, redact: Redact) {
  if (status >= 200 && status < 300) return { ok: true, message: `Connected${countModels(text)}.` };
  const said = redact(text).slice(0, 500);
  return { ok: false, message: `It answered with HTTP ${status}${said === '' ? '' : `: ${said}`}` };
}

/** OpenAI, Anthropic and what is compatible with them list `data`, Google lists `models`. */
function countModels(text: string): string {
  try {
    const answer: unknown = JSON.parse(text);
    const list = isJsonObject(answer) ? (answer.data ?? answer.models) : undefined;
    return Array.isArray(list) ? `; ${list.length} models can be used` : '';
  } catch {
    return '';
  }
}
