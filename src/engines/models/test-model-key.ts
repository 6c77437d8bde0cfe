import { isJsonObject } from '../../domain/json.ts';
import { createRedactor, type Redact } from '../../domain/redact.ts';
import { readCapped } from '../../platform/egress/capped-body.ts';
import type { GuardedFetch } from '../../platform/egress/guarded-fetch.ts';
import { hostedVendors } from './vendor-catalogue.ts';

interface KeyTest {
  /** A prefix of {@link hostedVendors}. */
  vendor: string;
  /** Empty when the connection has no key. */
  apiKey: string;
  /** The address of the vendor's API; null for the public one. The operator's own address is never used. */
  baseUrl: string | null;
  fetch: GuardedFetch;
  timeoutMs: number;
}

const maxAnswerBytes = 1024 * 1024;

/** Tests a key by requesting the vendor's list of models, which costs nothing. */
export async function testModelKey({ vendor: prefix, apiKey, baseUrl, fetch, timeoutMs }: KeyTest) {
  const vendor = hostedVendors.get(prefix);
  const address = baseUrl ?? vendor?.publicBaseUrl;
  if (!vendor || !address)
    return {
      ok: false,
      message: 'It has no endpoint: name the address of the API, such as https://host/v1.',
    };
  const { redact } = createRedactor([apiKey]);
  const headers = vendor.toKeyHeaders(apiKey);
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
  const answer = redact(text).slice(0, 500);
  return { ok: false, message: `It answered with HTTP ${status}${answer === '' ? '' : `: ${answer}`}` };
}

/** The list is the field `data` of the answer, or `models` (Google). */
function countModels(text: string): string {
  try {
    const answer: unknown = JSON.parse(text);
    const list = isJsonObject(answer) ? (answer.data ?? answer.models) : undefined;
    return Array.isArray(list) ? `; ${list.length} models can be used` : '';
  } catch {
    return '';
  }
}
