import { useEffect, useEffectEvent } from 'react';

/** What keys do, by the values of `KeyboardEvent.key`. A function that returns false has done nothing with the key. */
export type Shortcuts = Readonly<Record<string, () => unknown>>;

/**
 * Lets keys without a modifier do something while the component is shown. They do nothing while a field has the focus, in a dialog,
 * and when they are held down, unless they are among `repeated`.
 */
export function useShortcuts(shortcuts: Shortcuts, { isOn = true, repeated = [] as readonly string[] } = {}) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const run = Object.hasOwn(shortcuts, event.key) ? shortcuts[event.key] : undefined;
    if (!run || (event.repeat && !repeated.includes(event.key)) || isForOthers(event)) return;
    // Otherwise the key would be typed into a field that it opens.
    if (run() !== false) event.preventDefault();
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [isOn]);
}

function isForOthers(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
    return true;
  const place = event.target instanceof Element ? event.target : null;
  return place?.closest('input, textarea, select, [contenteditable], [role="dialog"]') != null;
}
