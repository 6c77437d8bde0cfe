import type { HostedVendor, LocalVendor, ModelVendor } from './model-vendor.ts';
import { anthropic } from './vendors/anthropic.ts';
import { compatible } from './vendors/compatible.ts';
import { demo } from './vendors/demo.ts';
import { google } from './vendors/google.ts';
import { openai } from './vendors/openai.ts';

/** Every vendor by the prefix of its models' names. */
const vendors = new Map<string, ModelVendor>(Object.entries({ openai, anthropic, google, compatible, demo }));

/** The vendors whose models are reached over HTTP, by the prefix of their models' names. */
export const hostedVendors: ReadonlyMap<string, HostedVendor> = new Map(
  [...vendors].flatMap(([prefix, vendor]) => (vendor.kind === 'hosted' ? [[prefix, vendor]] : [])),
);

/** The vendors whose model runs in this process, by the name of that model. */
export const localVendors: ReadonlyMap<string, LocalVendor> = new Map(
  [...vendors].flatMap(([name, vendor]) => (vendor.kind === 'local' ? [[name, vendor]] : [])),
);
