import { cssTextOf, generateTheme } from '../../ui/theme/generate.ts'
import type { Theme } from '../../ui/theme/generate.ts'
import type { ThemeSource } from '../../ui/theme/presets.ts'

/** Enough for the presets and what is being tried out. */
const maxKept = 24
const made = new Map<string, Theme>()

/** The theme of a source, made once: page, preview and miniatures ask for the same ones. */
export function cachedTheme(source: ThemeSource): Theme {
  const key = JSON.stringify([source.base, source.accent, source.contrast])
  const known = made.get(key)
  if (known) return known
  const theme = generateTheme(source)
  const [oldest] = made.keys()
  if (made.size >= maxKept && oldest !== undefined) made.delete(oldest)
  made.set(key, theme)
  return theme
}

/** The colours of a source as CSS. */
export function cachedCss(source: ThemeSource): string {
  return cssTextOf(cachedTheme(source))
}
