export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORAGE_KEY = 'flag-admin-gateway:theme';

export function loadTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

export function saveTheme(theme: Theme): void {
  localStorage.setItem(STORAGE_KEY, theme);
  applyTheme(theme);
}

/** Sets `data-theme`, by which the style sheet chooses the colors. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}
