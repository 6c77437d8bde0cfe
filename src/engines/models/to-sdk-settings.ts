import type { streamText } from 'ai';
import type { ModelCall } from '../../domain/model.ts';
import type { HostedVendor, ProviderOptions } from './model-vendor.ts';

type SdkSettings = Pick<
  Parameters<typeof streamText>[0],
  'temperature' | 'topP' | 'maxOutputTokens' | 'reasoning' | 'headers' | 'providerOptions'
>;

type VendorOptions = Pick<
  HostedVendor,
  'optionsName' | 'fixedOptions' | 'toParallelOptions' | 'toCacheOptions' | 'takesIdempotencyKey'
>;

interface Request {
  /** Options that those of the agent replace. */
  defaults?: ProviderOptions[string] | undefined;
  /** Whether the request declares tools. */
  hasTools: boolean;
}

/**
 * Maps the settings of a call to the AI SDK. Options of other vendors than the one that is called are left out. Nothing is said of
 * parallel calls in a request without tools, since vendors refuse that.
 */
export function toSdkSettings(
  call: ModelCall,
  vendor: VendorOptions,
  { defaults = {}, hasTools }: Request,
): SdkSettings {
  const { temperature, topP, maxOutputTokens, reasoningEffort, headers, idempotencyKey } = call;
  const sent = { ...headers, ...(vendor.takesIdempotencyKey && { 'Idempotency-Key': idempotencyKey }) };
  const options = { ...defaults, ...toOptions(call, vendor, hasTools) };
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(reasoningEffort !== undefined && { reasoning: reasoningEffort }),
    ...(Object.keys(sent).length > 0 && { headers: sent }),
    ...(Object.keys(options).length > 0 && { providerOptions: { [vendor.optionsName]: options } }),
  };
}

function toOptions(
  { providerOptions = {}, parallelToolCalls, promptCaching, conversation }: ModelCall,
  { optionsName, fixedOptions, toParallelOptions, toCacheOptions }: VendorOptions,
  hasTools: boolean,
): ProviderOptions[string] {
  const caches = promptCaching !== 'off' && conversation !== undefined;
  return {
    ...(caches && toCacheOptions?.(conversation)),
    ...(providerOptions[optionsName] as ProviderOptions[string] | undefined),
    ...(hasTools && parallelToolCalls !== undefined && toParallelOptions?.(parallelToolCalls)),
    ...fixedOptions,
  };
}
