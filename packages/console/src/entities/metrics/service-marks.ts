import type { ServiceStrips } from '@bey/contract'
import type { ChartMark } from '../../ui/chart/chart-types.ts'

const markKinds = { run: 'run', deploy: 'deploy', change: 'edit', failure: 'failure' } as const

/** What happened in the time of the rows of all services, as marks of a chart. */
export const chartMarks = ({ marks }: Pick<ServiceStrips, 'marks'>): ChartMark[] =>
  marks.map(({ at, kind, text, cluster }) => ({
    at: Date.parse(at),
    kind: markKinds[kind],
    text,
    ...(cluster !== null && { cluster }),
  }))
