/**
 * Shows a theme. `system` follows the operating system by media query alone; `custom` needs the CSS of its tokens.
 * The root's inline style belongs to the theme alone. The same rules stand in `public/theme-boot.js`, which acts before the first paint.
 */
export function applyThemeMode(
  mode: 'system' | 'light' | 'dark' | 'custom',
  customCss: string | null,
  root: HTMLElement,
): void {
  const css = mode === 'custom' ? customCss : null
  root.style.cssText = css ?? ''
  // Custom without its colours is shown light, like every theme that cannot be read.
  const fixed = mode === 'custom' && !css ? 'light' : mode
  if (fixed === 'light' || fixed === 'dark') root.dataset['theme'] = fixed
  else delete root.dataset['theme']
}
