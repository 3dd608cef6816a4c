import { contrastRatio, fitToGamut, oklchOfCieLch, rgbOf } from './color.ts'
import type { CieLch, Oklch } from './color.ts'
import { black, white } from './solve.ts'
import type { Toward } from './solve.ts'

export const surfaceRoles = ['bg', 'sunken', 'raised', 'overlay', 'hover', 'active'] as const
type SurfaceRole = (typeof surfaceRoles)[number]
export type Surfaces = Record<SurfaceRole, Oklch>

/** What text must be able to reach on every surface: 7, and a little for rounding. */
export const textReach = 7.1

/**
 * The surfaces around a base. Where text could not reach 7 on each of them they first draw closer together, then
 * the base moves away from the middle: an unreadable wish becomes the nearest readable theme.
 */
export function solveSurfaces(wish: CieLch, k: number): { surfaces: Surfaces; toward: Toward } {
  const base = oklchOfCieLch([clampLightness(wish[0]), wish[1], wish[2]])
  const toward = contrastRatio(rgbOf(base), white) >= contrastRatio(rgbOf(base), black) ? 1 : -1
  const extreme = toward === 1 ? white : black
  for (let shift = 0; ; shift += 0.01) {
    const moved = { ...base, l: Math.min(1, Math.max(0, base.l - toward * shift)) }
    for (let scale = 1; scale > 0.5; scale *= 0.8) {
      const surfaces = around(moved, Math.sqrt(k) * scale, toward)
      const isReadable = Object.values(surfaces).every(
        (surface) => contrastRatio(rgbOf(surface), extreme) >= textReach,
      )
      if (isReadable) return { surfaces, toward }
    }
  }
}

function around(base: Oklch, spread: number, toward: Toward): Surfaces {
  const at = (offset: number): Oklch =>
    fitToGamut({ ...base, l: Math.min(1, Math.max(0, base.l + offset * spread)) })
  return {
    bg: at(0),
    sunken: at(-0.018),
    raised: at(0.022),
    overlay: at(0.045),
    hover: at(toward * 0.035),
    active: at(toward * 0.06),
  }
}

// Between these neither black nor white text reads well once surfaces spread around the base.
function clampLightness(lightness: number): number {
  const bounded = Math.min(100, Math.max(0, lightness))
  if (bounded <= 36 || bounded >= 54) return bounded
  return bounded < 45 ? 36 : 54
}
