import { useState } from 'react'
import { useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { cx } from '../../ui/class-names.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterInput } from '../../ui/filter-input.tsx'

/** More rows are found by typing. */
const maxShown = 300

/** The metrics of a data source by name, each with what the source says of it. */
export function SourceMetricList({
  source,
  expr,
  onSelect,
}: {
  source: string
  expr: string
  onSelect: (expr: string) => void
}) {
  const [filter, setFilter] = useState('')
  const catalog = useRead('metrics.sources.catalog', { params: { id: source } })
  const failure = failureOf('Failed to list the metrics', catalog)
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const metrics = catalog.data?.metrics ?? []
  const found = metrics.filter(({ name, meaning }) => {
    const text = `${name} ${meaning ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const total = catalog.data?.total ?? 0
  return (
    <nav
      aria-label="Metrics"
      className="w-72 shrink-0 overflow-y-auto border-r border-line py-3 max-lg:hidden"
    >
      <div className="px-4 pb-2 [&>*]:w-full">
        <FilterInput label="Name or meaning" value={filter} onChange={setFilter} />
      </div>
      {failure ? (
        <div className="px-4">
          <ErrorState {...failure} isCompact />
        </div>
      ) : null}
      {catalog.data ? (
        <p className="px-4 py-1 text-small text-text-2">
          {found.length === metrics.length
            ? formatCount(total, 'metric')
            : `${formatNumber(found.length)} of ${formatCount(total, 'metric')}`}
        </p>
      ) : null}
      <ul>
        {found.slice(0, maxShown).map(({ name, type, meaning }) => (
          <li key={name}>
            <button
              type="button"
              aria-current={expr === name}
              onClick={() => onSelect(name)}
              className={cx(
                'block w-full px-4 py-1 text-left',
                expr === name ? 'bg-active' : 'hover:bg-hover',
              )}
            >
              <span className="block truncate font-mono text-small" title={name}>
                {name}
              </span>
              <span className="flex justify-between gap-2 text-small text-text-2">
                <span className="min-w-0 truncate">{meaning ?? 'not described'}</span>
                <span className="shrink-0">{type}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {found.length > maxShown ? (
        <p className="px-4 py-2 text-small text-text-2">
          {formatNumber(found.length - maxShown)} more. Type a part of the name.
        </p>
      ) : null}
    </nav>
  )
}
