import type * as sdk from '@serverlessworkflow/sdk';

type Sdk = typeof sdk;

/**
 * Loads the SDK of the standard when it is first needed: its compiled schema takes half a second. Node finds its UMD build,
 * which has a default export alone; bundlers find named ones.
 */
export async function loadSdk(): Promise<Sdk> {
  const found: Sdk & { default?: Sdk } = await import('@serverlessworkflow/sdk');
  return found.default ?? found;
}
