import { defaultTheme, isContrast, isLchTriple, isThemeMode } from '@bey/contract'
import type { ThemeMode, ThemeSettings } from '@bey/contract'
import type { TextStorage } from '../../lib/storage.ts'
import { presets } from '../../ui/theme/presets.ts'
import type { ThemeSource } from '../../ui/theme/presets.ts'

/** The colours that a mode shows; those of `custom` are the theme's own. */
export function shownSource(theme: ThemeSettings, isDarkPreferred: boolean): ThemeSource {
  const { themeMode, baseColor, accentColor, contrast } = theme
  if (themeMode === 'custom') return { base: baseColor, accent: accentColor, contrast }
  const isDark = themeMode === 'dark' || (themeMode === 'system' && isDarkPreferred)
  return isDark ? presets.dark : presets.light
}

/** Whether the colours are the user's own, as opposed to those of a built-in mode. */
export function isCustomised({ baseColor, accentColor, contrast }: ThemeSettings): boolean {
  const own = { base: baseColor, accent: accentColor, contrast }
  return !isSameSource(own, presets.light) && !isSameSource(own, presets.dark)
}

/** A theme after a change. Other colours or another contrast make it custom, starting from what is shown. */
export function changed(
  theme: ThemeSettings,
  change: Partial<ThemeSettings>,
  isDarkPreferred: boolean,
): ThemeSettings {
  const next = { ...theme, ...change }
  if (change.baseColor || change.accentColor || change.contrast !== undefined) {
    if (change.themeMode) return next
    return { ...theme, ...colorsOf(shownSource(theme, isDarkPreferred)), themeMode: 'custom', ...change }
  }
  if (isCustomised(theme)) return next
  // Colours that nobody chose go with the mode, so that custom starts from what is shown.
  return { ...next, ...colorsOf(shownSource(next.themeMode === 'custom' ? theme : next, isDarkPreferred)) }
}

function colorsOf({ base, accent, contrast }: ThemeSource) {
  return { baseColor: base, accentColor: accent, contrast }
}

/** A theme from elsewhere; undefined unless every part of it is what it must be. */
export function parseTheme(value: unknown): ThemeSettings | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const part = (key: keyof ThemeSettings): unknown => Reflect.get(value, key)
  const themeMode = part('themeMode')
  const baseColor = part('baseColor')
  const accentColor = part('accentColor')
  const contrast = part('contrast')
  const animationsEnabled = part('animationsEnabled')
  const denseMode = part('denseMode')
  if (!isThemeMode(themeMode) || !isLchTriple(baseColor) || !isLchTriple(accentColor)) return undefined
  if (!isContrast(contrast)) return undefined
  if (typeof animationsEnabled !== 'boolean' || typeof denseMode !== 'boolean') return undefined
  return { themeMode, baseColor, accentColor, contrast, animationsEnabled, denseMode }
}

/** The theme kept in this browser. What was never chosen has its default; what is kept but invalid makes it the light theme. */
export function readTheme(from: TextStorage, isDarkPreferred: boolean): ThemeSettings {
  const mode = from.read('themeMode') ?? 'system'
  const isDark = mode === 'dark' || (mode !== 'light' && isDarkPreferred)
  const { base, accent, contrast } = isDark ? presets.dark : presets.light
  const kept = {
    themeMode: mode,
    baseColor: parsed(from.read('baseColor')) ?? base,
    accentColor: parsed(from.read('accentColor')) ?? accent,
    contrast: parsed(from.read('contrast')) ?? contrast,
    animationsEnabled: parsed(from.read('animationsEnabled')) ?? true,
    denseMode: parsed(from.read('denseMode')) ?? false,
  }
  return parseTheme(kept) ?? defaultTheme
}

/** Undefined where nothing is kept; what cannot be read becomes a value that no part may have. */
function parsed(text: string | null): unknown {
  if (text === null) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return value ?? 'null'
  } catch (error) {
    if (error instanceof SyntaxError) return 'invalid'
    throw error
  }
}

export function writeTheme(to: TextStorage, theme: ThemeSettings): void {
  to.write('baseColor', JSON.stringify(theme.baseColor))
  to.write('accentColor', JSON.stringify(theme.accentColor))
  to.write('contrast', String(theme.contrast))
  to.write('animationsEnabled', String(theme.animationsEnabled))
  to.write('denseMode', String(theme.denseMode))
  // Written last: another tab that receives this event finds the rest in place.
  to.write('themeMode', theme.themeMode)
}

/** Whether both show the same colours. */
export function isSameSource(one: ThemeSource, other: ThemeSource): boolean {
  return (
    one.contrast === other.contrast &&
    one.base.every((value, index) => value === other.base[index]) &&
    one.accent.every((value, index) => value === other.accent[index])
  )
}

export const modeLabels: Record<ThemeMode, string> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  custom: 'Custom',
}
