/** The categories of the catalogue of providers. */
export const providerCategories = [
  'calendar',
  'communication',
  'development',
  'documents',
  'infrastructure',
  'marketing',
  'other',
  'payments',
  'productivity',
  'search',
  'storage',
  'support',
] as const;
export type ProviderCategory = (typeof providerCategories)[number];
