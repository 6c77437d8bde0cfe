import type { streamText } from 'ai';
import type { ModelCall } from '../domain/model.ts';
import type { HostedVendor, ProviderOptions } from './model-vendor.ts';

type SdkSettings = Pick<
  Parameters<typeof streamText>[0],
  'temperature' | 'topP' | 'maxOutputTokens' | 'reasoning' | 'headers' | 'providerOptions'
>;

type VendorOptions = Pick<
  HostedVendor,
  'optionsName' | 'fixedOptions' | 'toParallelOptions' | 'takesIdempotencyKey'
>;

/** Maps the settings of a call to the AI SDK. Options of other vendors than the one that is called are left out. */
export function toSdkSettings(call: ModelCall, vendor: VendorOptions): SdkSettings {
  const { temperature, topP, maxOutputTokens, reasoningEffort, headers, idempotencyKey } = call;
  const sent = { ...headers, ...(vendor.takesIdempotencyKey && { 'Idempotency-Key': idempotencyKey }) };
  const options = toOptions(call, vendor);
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
  { providerOptions = {}, parallelToolCalls }: ModelCall,
  { optionsName, fixedOptions, toParallelOptions }: VendorOptions,
): ProviderOptions[string] {
  return {
    ...(providerOptions[optionsName] as ProviderOptions[string] | undefined),
    ...(parallelToolCalls !== undefined && toParallelOptions?.(parallelToolCalls)),
    ...fixedOptions,
  };
}
