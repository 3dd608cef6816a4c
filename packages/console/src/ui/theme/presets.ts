import type { CieLch } from './color.ts'

/** Everything that a theme is made of; all colours of the console follow from it. */
export interface ThemeSource {
  base: CieLch
  accent: CieLch
  /** 0–100; 33 is normal. */
  contrast: number
}

export const presets = {
  dark: { base: [12, 3, 285], accent: [55, 80, 300], contrast: 33 },
  light: { base: [98, 0.8, 285], accent: [47, 80, 300], contrast: 33 },
  github: { base: [99, 0.5, 250], accent: [45, 62, 272], contrast: 36 },
  vercel: { base: [2, 0, 0], accent: [96, 0, 0], contrast: 40 },
  tailwind: { base: [8, 12, 270], accent: [62, 48, 240], contrast: 33 },
} as const satisfies Record<string, ThemeSource>
