/**
 * Loads the SDK of the standard when it is first needed: its compiled schema takes half a second. Node finds its UMD build,
 * which has a default export alone.
 */
export async function loadSdk() {
  const { default: sdk } = await import('@serverlessworkflow/sdk');
  return sdk;
}
