import type { BoardPanel, PanelKind, PanelUnit } from '@bey/contract'
import { boardBounds, filledExpression, panelKinds, panelUnits } from '@bey/contract'
import { Copy, Plus, Trash, X } from 'lucide-react'
import { useRead } from '../../data/use-read.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ExpressionInput } from '../../entities/metrics/expression-input.tsx'
import { SourceSelect, useHasSources } from '../../entities/metrics/source-select.tsx'
import { alertCreateHref } from '../../entities/alerts/alert-text.ts'
import { Input } from '../../ui/input.tsx'
import { Link } from '../../ui/link.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { positionText } from './layout.ts'
import { unitFormat } from './panel-text.ts'
import type { BoardView } from './use-panel-data.ts'
import { usePanelData } from './use-panel-data.ts'

const kindLabels: Readonly<Record<PanelKind, string>> = {
  series: 'series',
  stat: 'stat',
  top: 'top',
  table: 'table',
  heatmap: 'heat',
  history: 'history',
  text: 'text',
}

export interface PanelFormProps {
  panel: BoardPanel
  view: BoardView
  onChange: (panel: BoardPanel) => void
  onDuplicate: () => void
  onRemove: () => void
  onClose: () => void
}

/** Everything about one panel of a board that is edited. It is drawn from live data as one types. */
export function PanelForm({ panel, view, onChange, onDuplicate, onRemove, onClose }: PanelFormProps) {
  const set = (change: Partial<BoardPanel>) => onChange({ ...panel, ...change })
  const setQuery = (place: number, change: Partial<BoardPanel['queries'][number]>) =>
    set({ queries: panel.queries.map((query, index) => (index === place ? { ...query, ...change } : query)) })
  return (
    <aside
      aria-label={`Panel ${panel.title || 'without a title'}`}
      className="flex w-96 shrink-0 flex-col border-l border-line bg-bg"
    >
      <div className="flex items-center gap-1 border-b border-line px-5 py-3">
        <h2 className="min-w-0 flex-1 truncate font-semibold">
          {panel.title || 'Untitled panel'} <span className="font-normal text-text-2">{panel.kind}</span>
        </h2>
        <IconButton
          size="small"
          label="Duplicate panel"
          icon={<Copy size={14} aria-hidden />}
          onClick={onDuplicate}
        />
        <IconButton
          size="small"
          label="Remove panel"
          icon={<Trash size={14} aria-hidden />}
          onClick={onRemove}
        />
        <IconButton
          size="small"
          label="Close the form"
          icon={<X size={14} aria-hidden />}
          onClick={onClose}
        />
      </div>
      <div className="flex flex-1 flex-col gap-4 overflow-auto px-5 py-4">
        <Field label="Title">
          {(control) => (
            <Input
              {...control}
              value={panel.title}
              maxLength={boardBounds.maxTitleLength}
              onChange={(event) => set({ title: event.target.value })}
            />
          )}
        </Field>
        <Segmented
          label="Kind of panel"
          options={panelKinds.map((value) => ({ value, label: kindLabels[value] }))}
          value={panel.kind}
          onChange={(kind) => set({ kind })}
        />
        {panel.kind === 'text' ? (
          <Field label="Text" hint="Shown as it is typed.">
            {(control) => (
              <TextArea
                {...control}
                rows={8}
                maxLength={boardBounds.maxTextLength}
                value={panel.text}
                onChange={(event) => set({ text: event.target.value })}
              />
            )}
          </Field>
        ) : (
          <>
            <SourceChoice panel={panel} set={set} />
            {panel.source === undefined ? (
              <MetricChoice onChoose={(expr) => setQueries(panel, expr, set)} />
            ) : null}
            {panel.queries.map((query, place) => (
              // A query has no identity but its place.
              // oxlint-disable-next-line react/no-array-index-key
              <div key={place} className="flex flex-col gap-2">
                <Field
                  label={panel.queries.length > 1 ? `Expression ${place + 1}` : 'Expression'}
                  hint="PromQL. $cluster, $namespace and $database stand for what the reader chooses."
                >
                  {(control) => (
                    <ExpressionInput
                      {...control}
                      source={panel.source}
                      rows={4}
                      maxLength={boardBounds.maxExpressionLength}
                      value={query.expr}
                      onChange={(expr) => setQuery(place, { expr })}
                    />
                  )}
                </Field>
                <Field label="Legend" hint="{{cluster}} is replaced by the label. Empty: all labels.">
                  {(control) => (
                    <Input
                      {...control}
                      controlSize="small"
                      maxLength={boardBounds.maxLegendLength}
                      value={query.legend}
                      onChange={(event) => setQuery(place, { legend: event.target.value })}
                    />
                  )}
                </Field>
              </div>
            ))}
            <Verdict panel={panel} view={view} />
            <Button
              size="small"
              icon={<Plus size={14} aria-hidden />}
              disabledReason={
                panel.queries.length >= boardBounds.maxQueries
                  ? 'A panel has at most 5 expressions.'
                  : undefined
              }
              onClick={() => set({ queries: [...panel.queries, { expr: '', legend: '' }] })}
            >
              Add expression
            </Button>
            <UnitAndLimits panel={panel} set={set} />
            <AlertOfLimit panel={panel} view={view} />
          </>
        )}
        <p className="text-small text-text-2">
          {positionText(panel)}, {panel.width} × {panel.height}. Arrow keys move the panel that has the focus,
          with Shift they size it.
        </p>
      </div>
      <div className="flex items-center justify-between border-t border-line px-5 py-3">
        <Button onClick={onClose}>Done</Button>
        <span className="text-small text-text-2">drawn from live data as you type</span>
      </div>
    </aside>
  )
}

function setQueries(panel: BoardPanel, expr: string, set: (change: Partial<BoardPanel>) => void) {
  const [first] = panel.queries
  const rest = panel.queries.slice(1)
  set({
    queries: [{ legend: first?.legend ?? '', expr }, ...rest],
    ...(panel.title === '' && { title: expr.slice(0, boardBounds.maxTitleLength) }),
  })
}

/** What evaluates the expressions of the panel, where there is a choice. */
function SourceChoice({ panel, set }: { panel: BoardPanel; set: (change: Partial<BoardPanel>) => void }) {
  if (!useHasSources(panel.source)) return null
  return (
    <Field label="Data source">
      {(control) => (
        <SourceSelect
          {...control}
          className="w-full [&>select]:w-full"
          value={panel.source}
          onChange={(source) => set({ source })}
        />
      )}
    </Field>
  )
}

/** The metrics of the organization; one that is chosen becomes the expression. */
function MetricChoice({ onChoose }: { onChoose: (expr: string) => void }) {
  const { data } = useRead('metrics.catalog', {})
  const metrics = data?.metrics ?? []
  return (
    <Field label="Metric" hint="Replaces the first expression.">
      {(control) => (
        <Select
          {...control}
          className="w-full [&>select]:w-full"
          value=""
          onChange={(event) => event.target.value && onChoose(event.target.value)}
          options={[
            { value: '', label: metrics.length === 0 ? 'Nothing is measured yet' : 'Choose a metric' },
            ...metrics.map(({ name, meaning }) => ({
              value: name,
              label: meaning === null ? name : `${name}: ${meaning}`,
            })),
          ]}
        />
      )}
    </Field>
  )
}

/** How the expressions of the panel were evaluated: series, points and time, or why not. */
function Verdict({ panel, view }: { panel: BoardPanel; view: BoardView }) {
  const { data, error, hasQueries } = usePanelData(panel, view, true)
  const shown = panel.queries.map(({ expr }) => filledExpression(expr, view.values)).join('\n')
  const isFilled = panel.queries.some(({ expr }) => filledExpression(expr, view.values) !== expr)
  if (!hasQueries) return null
  if (error) {
    const { title, detail } = errorText('The expression cannot be evaluated', error)
    return (
      <p role="alert" className="text-small text-danger">
        {title}: {detail}
      </p>
    )
  }
  return (
    <output className="text-small text-text-2">
      {data
        ? `${formatCount(data.seriesCount, 'series', 'series')}, ${formatCount(data.points, 'point')}, ${Math.round(data.durationMs ?? 0)} ms`
        : 'Evaluating...'}
      {data?.warnings.map((warning) => (
        <span key={warning} className="block text-warn">
          {warning}
        </span>
      ))}
      {isFilled ? <code className="mt-1 block font-mono break-all text-text-3">{shown}</code> : null}
    </output>
  )
}

/** Opens the form of an alert with the expression and the stricter limit of the panel, where it has both. */
function AlertOfLimit({ panel, view }: { panel: BoardPanel; view: BoardView }) {
  const limit = panel.thresholds.danger ?? panel.thresholds.warn
  const expr = panel.queries[0]?.expr ?? ''
  if (limit === null || expr === '' || panel.source !== undefined) return null
  const href = alertCreateHref({ name: panel.title, expr: filledExpression(expr, view.values), limit })
  return <Link href={href}>Create an alert above {unitFormat(panel.unit, null)(limit)}…</Link>
}

function UnitAndLimits({ panel, set }: { panel: BoardPanel; set: (change: Partial<BoardPanel>) => void }) {
  const limit = (key: 'warn' | 'danger', label: string) => (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          type="number"
          step="any"
          controlSize="small"
          value={panel.thresholds[key] ?? ''}
          onChange={(event) => {
            const value = event.target.value === '' ? null : Number(event.target.value)
            set({ thresholds: { ...panel.thresholds, [key]: value } })
          }}
        />
      )}
    </Field>
  )
  return (
    <>
      <Field label="Unit">
        {(control) => (
          <Select
            {...control}
            value={panel.unit}
            // The options are the units.
            onChange={(event) => set({ unit: event.target.value as PanelUnit })}
            options={panelUnits.map((value) => ({
              value,
              label: value === 'auto' ? 'unit of the metric' : value.replaceAll('_', ' '),
            }))}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        {limit('warn', 'Warning from')}
        {limit('danger', 'Failure from')}
      </div>
    </>
  )
}
