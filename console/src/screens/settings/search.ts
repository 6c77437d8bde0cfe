/** The views of the settings. */
export const settingsTabs = ['you', 'keys', 'people', 'roles', 'workspace'] as const;

/** What the settings show. */
export interface SettingsSearch {
  tab: (typeof settingsTabs)[number];
}

/** Reads what the settings show from an address. */
export function parseSettingsSearch(
  given: Record<string, unknown>,
): SettingsSearch & Record<string, unknown> {
  return { tab: settingsTabs.find((tab) => tab === given['tab']) ?? 'you' };
}
