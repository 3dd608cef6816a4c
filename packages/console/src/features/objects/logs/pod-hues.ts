/** Hues of OKLCH for pods, far apart from each other and from those of danger (25) and warning (75). */
const hues = [292, 335, 165, 245, 200, 270, 315, 225]

/** The colour of a pod's lines. Its lightness is that of secondary text, so that it can be read in every theme. */
export function podColor(index: number): string {
  // The first eight differ in hue; beyond them one grey says that colours repeat no more.
  const hue = hues[index]
  return hue === undefined ? 'var(--text-3)' : `oklch(from var(--text-2) l 0.13 ${hue})`
}
