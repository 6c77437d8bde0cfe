import { z } from 'zod';
import { optionalUrl } from '../../platform/lib/parse-environment.ts';
import type { HostedVendor } from './model-vendor.ts';
import { hostedVendors } from './vendor-catalogue.ts';

/** The operator's key and address of one vendor. */
export interface VendorSettings {
  apiKey?: string | undefined;
  /** @default the public address of the vendor */
  baseUrl?: string | undefined;
}

/** The operator's settings by the prefix of a vendor's models; a vendor that is missing has no key. */
export type ModelsConfig = Readonly<Record<string, VendorSettings | undefined>>;

const optionalKey = z.string().min(1).optional();

/** The environment variables of all vendors. */
const environmentShape = Object.fromEntries([...hostedVendors.values()].flatMap(listVariables));

function listVariables(vendor: HostedVendor): [string, z.ZodType<string | undefined>][] {
  const { apiKeyVariable, baseUrlVariable } = vendor;
  if (baseUrlVariable === undefined) return [[apiKeyVariable, optionalKey]];
  return [
    [apiKeyVariable, optionalKey],
    [baseUrlVariable, optionalUrl],
  ];
}

/** The names of the environment variables that an operator sets for vendors. */
export const modelVariables = Object.keys(environmentShape);

/** Reads `{ models: ModelsConfig }` from environment variables. */
export const modelsEnvironmentSchema = z
  .object(environmentShape)
  .transform((values) => ({ models: toModelsConfig(values) }));

function toModelsConfig(values: Record<string, string | undefined>): ModelsConfig {
  const toSettings = ({ apiKeyVariable, baseUrlVariable }: HostedVendor): VendorSettings => ({
    apiKey: values[apiKeyVariable],
    baseUrl: baseUrlVariable === undefined ? undefined : values[baseUrlVariable],
  });
  return Object.fromEntries([...hostedVendors].map(([prefix, vendor]) => [prefix, toSettings(vendor)]));
}
