import type { MarkGroup } from './chart-layout.ts'
import type { ChartMarkKind } from './chart-types.ts'

export const laneHeight = 22

const paths: Record<ChartMarkKind, string> = {
  deploy: 'M-4 -4H4V1L0 4L-4 1Z',
  run: '',
  edit: 'M-1 -4H1V4H-1Z',
  failure: 'M0 -4L4.5 4H-4.5Z',
}

/** What changed when, between the panels of a chart. */
export function MarkLane({ groups, width }: { groups: readonly MarkGroup[]; width: number }) {
  return (
    <svg width={width} height={laneHeight} aria-hidden className="block overflow-visible">
      {groups.map(({ x, marks }) => (
        <g key={`${x}`} transform={`translate(${Math.round(x)} ${laneHeight / 2})`}>
          {marks.length === 1 && marks[0] ? (
            <MarkShape kind={marks[0].kind} />
          ) : (
            <Count count={marks.length} />
          )}
        </g>
      ))}
    </svg>
  )
}

function Count({ count }: { count: number }) {
  return (
    <>
      <rect x={-8} y={-7} width={16} height={14} rx={3} className="fill-bg stroke-control" />
      <text y={4} textAnchor="middle" className="fill-text text-meta font-medium tabular-nums">
        {count > 9 ? '9+' : count}
      </text>
    </>
  )
}

/** One change; drawn around the origin. */
export function MarkShape({ kind }: { kind: ChartMarkKind }) {
  if (kind === 'run') return <circle r={3} fill="none" strokeWidth={1.5} className="stroke-text-2" />
  return (
    <path d={paths[kind]} data-live-color="" className={kind === 'failure' ? 'fill-danger' : 'fill-text-2'} />
  )
}

/** What shapes, dashes and the area of trouble mean; only of those that there are. */
export function MarkLegend({
  kinds,
  hasReference = false,
  isTroubled = false,
}: {
  kinds: readonly ChartMarkKind[]
  hasReference?: boolean | undefined
  isTroubled?: boolean | undefined
}) {
  return (
    <span className="flex items-center gap-3 max-md:hidden">
      {hasReference ? (
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden className="w-4 border-t border-dashed border-text-3" />
          requested
        </span>
      ) : null}
      {isTroubled ? (
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden data-live-color="" className="size-2.5 border-l border-danger bg-danger/20" />
          failing
        </span>
      ) : null}
      {kinds.map((kind) => (
        <span key={kind} className="inline-flex items-center gap-1.5">
          <svg width={10} height={10} viewBox="-5 -5 10 10" aria-hidden className="shrink-0">
            <MarkShape kind={kind} />
          </svg>
          {kind}
        </span>
      ))}
    </span>
  )
}
