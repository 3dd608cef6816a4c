export interface ChartSeries {
  name: string
  /** One for each of the chart's times; null is a gap. */
  values: readonly (number | null)[]
  /** The value that the line's end is named with; that of its last step by default, which may be an average. */
  now?: number | null
}

export interface ChartBand {
  low: readonly (number | null)[]
  high: readonly (number | null)[]
}

export interface ChartPanel {
  title: string
  /** What it is now, in words: "6.5 of 49.4 cores". Shown where panels stand side by side. */
  figure?: string
  /** In pixels, of the plot alone; with its time axis where panels stand side by side. */
  height: number
  series: readonly ChartSeries[]
  /** Lines to compare with, dashed and grey: what is requested, a limit. */
  references?: readonly ChartSeries[]
  /** What is usual, as an area below the lines; one value for each of the chart's times. */
  band?: ChartBand
  /** The end of the axis; fitted to the values by default. */
  top?: number
  /** Where the axis has lines; four that are round by default. */
  ticks?: readonly number[]
  /** In which multiples the axis counts: bytes in powers of two. */
  base?: 2 | 10
  /** How many series are named at the end of their line, from the first; all by default. */
  maxNamed?: number
  /** Writes a value: `formatBytes`. */
  format: (value: number) => string
}

export type ChartMarkKind = 'deploy' | 'run' | 'edit' | 'failure'

/** A change that may explain a curve. */
export interface ChartMark {
  /** Milliseconds since 1970. */
  at: number
  kind: ChartMarkKind
  text: string
  href?: string
  /** Title of the cluster that it happened in; absent where it is of none. */
  cluster?: string
}

export interface ChartRange {
  fromMs: number
  toMs: number
}

/** How series are distinguished where colours are not: by what their line ends in. */
export const endGlyphs = ['●', '■', '◆', '○'] as const

/** Of tokens `--chart-1` to `--chart-6`. */
export const toneOf = (index: number) => (index % 6) + 1
