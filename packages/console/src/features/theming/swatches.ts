import type { Swatch } from './color-picker.tsx'

/** Grounds from night to paper. */
export const baseSwatches: readonly Swatch[] = [
  { name: 'Black', color: [2, 0, 0] },
  { name: 'Graphite', color: [12, 3, 285] },
  { name: 'Midnight', color: [10, 14, 275] },
  { name: 'Pine', color: [13, 9, 165] },
  { name: 'Umber', color: [13, 6, 60] },
  { name: 'Slate', color: [22, 6, 260] },
  { name: 'Mist', color: [93, 3, 250] },
  { name: 'Sand', color: [94, 6, 85] },
  { name: 'Paper', color: [98, 0.8, 285] },
  { name: 'White', color: [100, 0, 0] },
]

/** Once around the circle, and no colour at all. */
export const accentSwatches: readonly Swatch[] = [
  { name: 'Violet', color: [55, 80, 300] },
  { name: 'Indigo', color: [47, 80, 300] },
  { name: 'Blue', color: [54, 65, 272] },
  { name: 'Sky', color: [62, 48, 240] },
  { name: 'Teal', color: [58, 38, 195] },
  { name: 'Green', color: [60, 60, 150] },
  { name: 'Lime', color: [78, 75, 115] },
  { name: 'Amber', color: [76, 75, 75] },
  { name: 'Orange', color: [65, 78, 55] },
  { name: 'Red', color: [54, 78, 32] },
  { name: 'Pink', color: [60, 68, 355] },
  { name: 'Grey', color: [60, 0, 0] },
]
