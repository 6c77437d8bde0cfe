const toKey = (draft: string) => `holdfast-routine ${draft}`;

/** Keeps the text of a document that is not saved yet, until the tab is closed; null forgets it. */
export function keepDraft(draft: string, text: string | null): void {
  if (text === null) sessionStorage.removeItem(toKey(draft));
  else sessionStorage.setItem(toKey(draft), text);
}

/** The text of a document that is not saved yet; null without one. */
export const readDraft = (draft: string): string | null => sessionStorage.getItem(toKey(draft));
