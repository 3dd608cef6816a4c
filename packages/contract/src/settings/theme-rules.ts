/** Rules about themes that both the console and the server keep. */

export const themeModes = ['system', 'light', 'dark', 'custom'] as const
export type ThemeMode = (typeof themeModes)[number]

/** Lightness 0–100, chroma 0–150, hue 0–360: CIE LCH (D50). */
export type LchTriple = readonly [lightness: number, chroma: number, hue: number]

/** The largest of each; the least is 0. */
export const themeBounds = { lightness: 100, chroma: 150, hue: 360, contrast: 100 } as const

/** What a user chose for the look. Base, accent and contrast are what mode `custom` is made of. */
export interface ThemeSettings {
  themeMode: ThemeMode
  baseColor: LchTriple
  accentColor: LchTriple
  /** 0–100; 33 is normal. */
  contrast: number
  animationsEnabled: boolean
  denseMode: boolean
}

/** Shown where a theme cannot be read. */
export const defaultTheme: ThemeSettings = {
  themeMode: 'light',
  baseColor: [98, 0.8, 285],
  accentColor: [47, 80, 300],
  contrast: 33,
  animationsEnabled: true,
  denseMode: false,
}

export function isThemeMode(value: unknown): value is ThemeMode {
  return themeModes.some((mode) => mode === value)
}

/** Three finite numbers within the bounds. */
export function isLchTriple(value: unknown): value is LchTriple {
  if (!Array.isArray(value) || value.length !== 3) return false
  const { lightness, chroma, hue } = themeBounds
  return isWithin(value[0], lightness) && isWithin(value[1], chroma) && isWithin(value[2], hue)
}

export function isContrast(value: unknown): value is number {
  return isWithin(value, themeBounds.contrast)
}

function isWithin(value: unknown, max: number): boolean {
  return typeof value === 'number' && value >= 0 && value <= max
}
