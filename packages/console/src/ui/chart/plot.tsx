import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import type { ChartBand, ChartRange, ChartSeries } from './chart-types.ts'
import { toneOf } from './chart-types.ts'

export interface PlotProps {
  times: readonly number[]
  series: readonly ChartSeries[]
  references: readonly ChartSeries[]
  band?: ChartBand | undefined
  range: ChartRange
  top: number
  width: number
  height: number
}

/** The lines of one panel. Everything that is text lies above it, in the page. */
export default function Plot({ times, series, references, band, range, top, width, height }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>(undefined)
  const view = useRef({ range, top })
  view.current = { range, top }
  const shape = `${series.length}/${references.length}/${band ? 'band' : ''}`

  useEffect(() => {
    if (!box.current) return
    const made = new UPlot(
      {
        width,
        height,
        legend: { show: false },
        cursor: { show: false },
        padding: [0, 0, 0, 0],
        axes: [{ show: false }, { show: false }],
        scales: {
          x: { time: false, range: () => [view.current.range.fromMs, view.current.range.toMs] },
          y: { range: () => [0, view.current.top] },
        },
        bands: band ? [{ series: [2, 1], fill: () => token('--accent-soft') }] : [],
        series: [
          {},
          ...(band ? [unseen, unseen] : []),
          ...references.map(() => ({ ...line, stroke: () => token('--text-3'), width: 1, dash: [4, 3] })),
          ...series.map((_, index) => ({ ...line, stroke: () => token(`--chart-${toneOf(index)}`) })),
        ],
      },
      dataOf({ times, series, references, band }),
      box.current,
    )
    plot.current = made
    const stopFollowing = onThemeChange(() => made.redraw(false))
    return () => {
      stopFollowing()
      made.destroy()
      plot.current = undefined
    }
    // Data and size are set below; only another number of lines needs another plot.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [shape])

  useEffect(() => {
    plot.current?.setData(dataOf({ times, series, references, band }))
  }, [times, series, references, band, range, top])

  useEffect(() => {
    plot.current?.setSize({ width, height })
  }, [width, height])

  return <div ref={box} aria-hidden className="pointer-events-none" />
}

const line: UPlot.Series = {
  width: 1.5,
  spanGaps: false,
  // A value between two gaps has no line: it is a dot.
  points: { show: true, size: 4, width: 0, fill: (self, index) => strokeOf(self, index), filter: lonely },
}

/** The edges of the band. */
const unseen: UPlot.Series = { width: 0, stroke: 'transparent', points: { show: false } }

function strokeOf(self: UPlot, index: number): string {
  const { stroke } = self.series[index] ?? {}
  const color = typeof stroke === 'function' ? stroke(self, index) : stroke
  return typeof color === 'string' ? color : ''
}

function lonely(self: UPlot, seriesIndex: number): number[] {
  const values = self.data[seriesIndex] ?? []
  return [...values.keys()].filter(
    (index) => values[index] != null && values[index - 1] == null && values[index + 1] == null,
  )
}

const dataOf = ({
  times,
  series,
  references,
  band,
}: Pick<PlotProps, 'times' | 'series' | 'references' | 'band'>) =>
  // uPlot only reads its arrays.
  [
    times,
    ...(band ? [band.low, band.high] : []),
    ...references.map(({ values }) => values),
    ...series.map(({ values }) => values),
  ] as UPlot.AlignedData

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** The theme is set on the document, or follows the device. */
function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributes: true })
  const media = matchMedia('(prefers-color-scheme: dark)')
  media.addEventListener('change', listener)
  return () => {
    observer.disconnect()
    media.removeEventListener('change', listener)
  }
}
