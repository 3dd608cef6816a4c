import type { CatalogMetric } from '@bey/contract'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import {
  aggregations,
  builderOf,
  type BuilderState,
  expressionOf,
  type FilterOperator,
  filterOperators,
  windowFunctions,
  windows,
} from './builder.ts'

/** The expression as choices. They keep their last state while the text says more than they can show. */
export function BuilderRow({
  metrics,
  expr,
  onChange,
}: {
  metrics: readonly CatalogMetric[]
  expr: string
  onChange: (expr: string) => void
}) {
  const read = builderOf(expr)
  const [kept, setKept] = useState(read)
  if (read && kept !== read && (!kept || expressionOf(kept) !== expressionOf(read))) setKept(read)
  const state = read ?? kept
  if (!state) return null
  const change = (part: Partial<BuilderState>) => onChange(expressionOf({ ...state, ...part }))
  const labels = metrics.find(({ name }) => name === state.metric)?.labels ?? []
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 text-text-2">
      <span>of</span>
      <Select
        controlSize="small"
        aria-label="Metric"
        className="max-w-full"
        value={state.metric}
        options={metricOptions(metrics, state.metric)}
        onChange={(event) => change({ metric: event.target.value, filters: [] })}
      />
      <Filters state={state} labels={labels} onChange={(filters) => change({ filters })} />
      <span>as</span>
      <WindowChoice state={state} onChange={(window) => change({ window })} />
      <GroupChoice state={state} labels={labels} onChange={(group) => change({ group })} />
      <Select
        controlSize="small"
        aria-label="Number of series"
        className="max-w-full shrink-0"
        value={String(state.top ?? '')}
        options={[
          { value: '', label: 'all series' },
          ...[...new Set([5, 10, 20, ...(state.top === undefined ? [] : [state.top])])].map((count) => ({
            value: String(count),
            label: `highest ${count}`,
          })),
        ]}
        onChange={({ target }) => change({ top: target.value === '' ? undefined : Number(target.value) })}
      />
      {read ? null : <span className="text-small">The text says more than these choices can show.</span>}
    </div>
  )
}

function metricOptions(metrics: readonly CatalogMetric[], chosen: string) {
  const names = [...new Set(metrics.map(({ name }) => name))]
  return (names.includes(chosen) ? names : [chosen, ...names]).map((name) => ({ value: name, label: name }))
}

function Filters({
  state: { filters },
  labels,
  onChange,
}: {
  state: BuilderState
  labels: readonly string[]
  onChange: (filters: BuilderState['filters']) => void
}) {
  const [label, setLabel] = useState('')
  const [operator, setOperator] = useState<FilterOperator>('=')
  const [value, setValue] = useState('')
  const chosen = labels.includes(label) ? label : (labels[1] ?? '')
  return (
    <>
      {filters.length > 0 ? <span>where</span> : null}
      {filters.map((filter, index) => (
        <button
          key={`${filter.label}${filter.operator}${filter.value}`}
          type="button"
          aria-label={`Remove the filter ${filter.label} ${filter.operator} ${filter.value || 'empty'}`}
          onClick={() => onChange(filters.filter((_, each) => each !== index))}
          className="h-6 max-w-64 truncate rounded-control bg-active px-2 font-mono text-small text-text hover:line-through touch:h-9"
        >
          {filter.label} {filter.operator} {filter.value || 'empty'} ×
        </button>
      ))}
      {labels.length === 0 ? null : (
        <form
          className="flex items-center gap-1"
          onSubmit={(event) => {
            event.preventDefault()
            onChange([...filters.filter((each) => each.label !== chosen), { label: chosen, operator, value }])
            setValue('')
          }}
        >
          <Select
            controlSize="small"
            aria-label="Label to filter by"
            className="max-w-full shrink-0"
            value={chosen}
            options={labels.map((each) => ({ value: each, label: each }))}
            onChange={(event) => setLabel(event.target.value)}
          />
          <Select
            controlSize="small"
            aria-label="Comparison"
            className="max-w-full shrink-0"
            value={operator}
            options={filterOperators.map((each) => ({ value: each, label: each }))}
            onChange={(event) =>
              setOperator(filterOperators.find((each) => each === event.target.value) ?? '=')
            }
          />
          <span className="w-28 min-w-0">
            <Input
              aria-label="Value of the label"
              placeholder="value"
              value={value}
              maxLength={253}
              controlSize="small"
              onChange={(event) => setValue(event.target.value)}
            />
          </span>
          <Button type="submit" size="small">
            Filter
          </Button>
        </form>
      )}
    </>
  )
}

function WindowChoice({
  state: { window },
  onChange,
}: {
  state: BuilderState
  onChange: (window: BuilderState['window']) => void
}) {
  const length = window?.length ?? '5m'
  return (
    <>
      <Select
        controlSize="small"
        aria-label="Function"
        className="max-w-full shrink-0"
        value={window?.function ?? ''}
        options={[
          { value: '', label: 'measured values' },
          ...Object.entries(windowFunctions).map(([value, label]) => ({ value, label })),
        ]}
        onChange={({ target }) => {
          const name = target.value
          const chosen = Object.keys(windowFunctions).find((each) => each === name)
          // One of the keys, as just found.
          onChange(chosen ? { function: chosen as keyof typeof windowFunctions, length } : undefined)
        }}
      />
      {window ? (
        <Select
          controlSize="small"
          aria-label="Window"
          className="max-w-full shrink-0"
          value={length}
          options={[...new Set<string>([...windows, length])].map((each) => ({ value: each, label: each }))}
          onChange={({ target }) => onChange({ ...window, length: target.value })}
        />
      ) : null}
    </>
  )
}

function GroupChoice({
  state: { group },
  labels,
  onChange,
}: {
  state: BuilderState
  labels: readonly string[]
  onChange: (group: BuilderState['group']) => void
}) {
  return (
    <>
      <Select
        controlSize="small"
        aria-label="Aggregation"
        className="max-w-full shrink-0"
        value={group?.aggregation ?? ''}
        options={[
          { value: '', label: 'not grouped' },
          ...aggregations.map((each) => ({ value: each, label: `${each} of series` })),
        ]}
        onChange={({ target }) => {
          const aggregation = aggregations.find((each) => each === target.value)
          onChange(aggregation && { aggregation, by: group?.by ?? [] })
        }}
      />
      {group ? (
        <Select
          controlSize="small"
          aria-label="Grouped by"
          className="max-w-full shrink-0"
          value={group.by.join(',')}
          options={[
            { value: '', label: 'all together' },
            ...[...new Set([...labels, ...(group.by.length > 0 ? [group.by.join(',')] : [])])].map(
              (each) => ({
                value: each,
                label: `by ${each.replaceAll(',', ', ')}`,
              }),
            ),
          ]}
          onChange={({ target }) =>
            onChange({ ...group, by: target.value === '' ? [] : target.value.split(',') })
          }
        />
      ) : null}
    </>
  )
}
