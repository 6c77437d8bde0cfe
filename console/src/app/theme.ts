import { useEffect, useState } from 'react';

/** The colours of the page: those of the system, or always one of both. */
export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const storageKey = 'holdfast-theme';

/** The chosen colours, which the browser keeps, and the function that chooses them. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(storageKey, theme);
  }, [theme]);
  return [theme, setTheme];
}

function readTheme(): Theme {
  const kept = localStorage.getItem(storageKey);
  return themes.find((theme) => theme === kept) ?? 'system';
}
