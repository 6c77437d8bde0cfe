/** Keys and addresses of the model providers; what is missing has its public address and no key. */
export interface ModelsConfig {
  openaiApiKey?: string | undefined;
  openaiBaseUrl?: string | undefined;
  anthropicApiKey?: string | undefined;
  anthropicBaseUrl?: string | undefined;
  googleApiKey?: string | undefined;
  googleBaseUrl?: string | undefined;
  compatibleBaseUrl?: string | undefined;
  compatibleApiKey?: string | undefined;
}
