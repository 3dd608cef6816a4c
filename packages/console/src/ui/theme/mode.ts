const themeModes = ['system', 'light', 'dark', 'custom'] as const
export type ThemeMode = (typeof themeModes)[number]

export function isThemeMode(value: unknown): value is ThemeMode {
  return themeModes.some((mode) => mode === value)
}

/**
 * Shows a theme. `system` follows the operating system by media query alone; `custom` needs the CSS of its tokens.
 * The same rules stand in `public/theme-boot.js`, which acts before the first paint.
 */
export function applyThemeMode(mode: ThemeMode, customCss: string | null, root: HTMLElement): void {
  root.style.cssText = mode === 'custom' && customCss ? customCss : ''
  if (mode === 'light' || mode === 'dark') root.dataset['theme'] = mode
  else delete root.dataset['theme']
}
