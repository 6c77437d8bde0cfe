import { useState } from 'react';

const toKey = (conversation: string) => `holdfast-draft ${conversation}`;

/** Keeps the text of the next message of a conversation, until the tab is closed. */
export function keepDraft(conversation: string, text: string): void {
  if (text === '') sessionStorage.removeItem(toKey(conversation));
  else sessionStorage.setItem(toKey(conversation), text);
}

/** The text of the next message of a conversation: it survives a reload, and a session that has ended. */
export function useDraft(
  conversation: string,
): [string, (change: string | ((before: string) => string)) => void] {
  const [draft, setDraft] = useState(() => sessionStorage.getItem(toKey(conversation)) ?? '');
  const change = (next: string | ((before: string) => string)) =>
    setDraft((before) => {
      const text = typeof next === 'string' ? next : next(before);
      keepDraft(conversation, text);
      return text;
    });
  return [draft, change];
}
