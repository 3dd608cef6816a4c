import type { Plugin } from 'vite'
import { cssTextOf, generateTheme } from '../src/ui/theme/generate.ts'
import { presets } from '../src/ui/theme/presets.ts'

/**
 * Writes the light and dark tokens into the page's head, so that the first paint has its colours without
 * any script and "system" follows the operating system by media query alone.
 */
export function themeStyle(): Plugin {
  const light = cssTextOf(generateTheme(presets.light))
  const dark = cssTextOf(generateTheme(presets.dark))
  const css = [
    `:root{${light}}`,
    `@media(prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}`,
    `:root[data-theme=dark]{${dark}}`,
  ].join('')
  return {
    name: 'bey:theme-style',
    transformIndexHtml: {
      order: 'pre',
      handler: () => [{ tag: 'style', attrs: { id: 'theme' }, children: css, injectTo: 'head-prepend' }],
    },
  }
}
