import type { WaitClass } from '@bey/contract'

/** What sessions at work wait for, from the bottom of a stack: locks lie on top. */
export const waitLooks: readonly { key: WaitClass; label: string; fill: string; swatch: string }[] = [
  { key: 'cpu', label: 'CPU', fill: 'fill-chart-2/60', swatch: 'bg-chart-2' },
  { key: 'io', label: 'IO', fill: 'fill-chart-4/60', swatch: 'bg-chart-4' },
  { key: 'other', label: 'other', fill: 'fill-control/60', swatch: 'bg-control' },
  { key: 'lock', label: 'Lock', fill: 'fill-danger/75', swatch: 'bg-danger' },
]
