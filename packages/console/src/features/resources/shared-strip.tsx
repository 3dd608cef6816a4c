import type { CallOutput } from '@bey/contract'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'

export interface SharedStripProps {
  shared: CallOutput<'resources.list'>['shared']
  /** How many match. */
  matching: number
  onAdd: (term: string) => void
}

/** As wide as a bar with its figures. */
const headClass = 'w-60 lg:w-77.5'

/** What the matches share and the others do not, each with the word that adds it to the query. */
export function SharedStrip({ shared: { rows, others }, matching, onAdd }: SharedStripProps) {
  if (rows.length === 0) return null
  return (
    <section
      aria-label="What the matches share"
      className="border-b border-line bg-sunken px-(--gutter) pt-3 pb-2.5"
    >
      <div className="flex items-baseline gap-x-6 pb-1">
        <h2 className="min-w-0 grow basis-60 font-semibold">
          What these {formatNumber(matching)} share, and the other {formatNumber(others)} do not
        </h2>
        <span aria-hidden className="flex gap-x-6 text-small text-text-2 max-md:hidden">
          <span className={headClass}>these {formatNumber(matching)}</span>
          <span className={headClass}>all others</span>
          {/* The room of the button in the rows. */}
          <span className="w-24" />
        </span>
      </div>
      <ul>
        {rows.map((row) => (
          <li key={row.term} className="flex min-h-6.5 flex-wrap items-center gap-x-6">
            <span className="min-w-0 grow basis-60 truncate text-text-2" title={`${row.label} ${row.value}`}>
              {row.label} <span className="font-medium text-text">{row.value}</span>
            </span>
            <Share count={row.matching} of={matching} isOwn />
            <Share count={row.others} of={others} />
            <Button size="small" variant="ghost" className="w-24" onClick={() => onAdd(row.term)}>
              Add<span className="sr-only"> {row.term}</span> to query
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Share({ count, of, isOwn = false }: { count: number; of: number; isOwn?: boolean }) {
  const share = of === 0 ? 0 : (count / of) * 100
  return (
    <span className="flex items-center gap-2 text-small text-text-2 tabular-nums max-md:basis-full">
      <span aria-hidden className="h-2 w-30 overflow-hidden rounded-badge bg-active lg:w-47.5">
        <span
          className={isOwn ? 'block h-full bg-chart-1' : 'block h-full bg-control'}
          style={{ width: `${share}%` }}
        />
      </span>
      <span className="w-28 whitespace-nowrap">
        <span className="font-medium text-text">{formatNumber(count)}</span> of {formatNumber(of)}{' '}
        <span className="sr-only">{isOwn ? 'matches' : 'others'}</span>
      </span>
    </span>
  )
}
