import type { CatalogMetric } from '@bey/contract'
import { measuredPlural } from '@bey/contract'
import { useState } from 'react'
import { metricValueText } from '../../entities/metrics/metric-format.ts'
import { cx } from '../../ui/class-names.ts'
import { FilterInput } from '../../ui/filter-input.tsx'
import { builderOf } from './builder.ts'
import { wholeExpression } from './starting-expression.ts'

/** The metrics of the organization by type of entity, each with its meaning and its value now. */
export function MetricList({
  metrics,
  expr,
  onSelect,
}: {
  metrics: readonly CatalogMetric[]
  expr: string
  onSelect: (expr: string) => void
}) {
  const [filter, setFilter] = useState('')
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const found = metrics.filter(({ name, meaning, unit, entity }) => {
    const text = `${name} ${meaning ?? ''} ${unit ?? ''} ${entity}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const selected = builderOf(expr)?.metric
  const entities = [...new Set(found.map(({ entity }) => entity))]
  return (
    <nav
      aria-label="Metrics"
      className="w-72 shrink-0 overflow-y-auto border-r border-line py-3 max-lg:hidden"
    >
      <div className="px-4 pb-2 [&>*]:w-full">
        <FilterInput label="Name, meaning or unit" value={filter} onChange={setFilter} />
      </div>
      {found.length === 0 ? (
        <p className="px-4 py-2 text-text-2">No metric matches “{filter}”.</p>
      ) : (
        entities.map((entity) => (
          <div key={entity} className="pt-2">
            <h2 className="px-4 py-1 text-small text-text-2">{measuredPlural(entity)}</h2>
            <ul>
              {found
                .filter((metric) => metric.entity === entity)
                .map((metric) => (
                  <li key={metric.name}>
                    <MetricRow
                      metric={metric}
                      isSelected={metric.name === selected}
                      onSelect={() => onSelect(wholeExpression(metric))}
                    />
                  </li>
                ))}
            </ul>
          </div>
        ))
      )}
    </nav>
  )
}

function MetricRow({
  metric: { name, meaning, unit, lastValue },
  isSelected,
  onSelect,
}: {
  metric: CatalogMetric
  isSelected: boolean
  onSelect: () => void
}) {
  return (
    <button
      type="button"
      aria-current={isSelected}
      onClick={onSelect}
      className={cx('block w-full px-4 py-1 text-left', isSelected ? 'bg-active' : 'hover:bg-hover')}
    >
      <span className="block truncate font-mono text-small" title={name}>
        {name}
      </span>
      <span className="flex justify-between gap-2 text-small text-text-2">
        <span className="min-w-0 truncate">{meaning ?? 'not described'}</span>
        <span className="shrink-0 tabular-nums">{metricValueText(lastValue, unit)}</span>
      </span>
    </button>
  )
}
