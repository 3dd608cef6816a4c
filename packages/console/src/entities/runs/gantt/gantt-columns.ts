/** Widths of names and figures; the bars have the rest. Where there is little room the figures are left out. */
export const ganttColumns =
  'grid grid-cols-[9rem_minmax(0,1fr)] @3xl:grid-cols-[14rem_minmax(0,1fr)_6.5rem_5.5rem] gap-x-3'

/** Place of an instant on the axis: 0 to 100 where it is shown. */
export type PercentOf = (at: number) => number
