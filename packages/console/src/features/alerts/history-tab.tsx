import { type AlertCondition, limitOf, withLimit } from '@bey/contract/alerts/rules'
import { useState } from 'react'
import { type Alert, useAlertReplay } from '../../data/alerts.ts'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { judgedUnit, unitText } from '../../entities/alerts/alert-text.ts'
import { useAlertActions } from './use-alert-actions.ts'
import { causeOf, errorText } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { MarkLegend } from '../../ui/chart/mark-lane.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useAlertMarks } from './change-before.ts'
import { EpisodeRows } from './episode-rows.tsx'
import { LimitRows } from './limit-rows.tsx'
import { NotifiedRows } from './notified-rows.tsx'
import { ReplayChart } from './replay-chart.tsx'
import { replaySentence } from './replay-summary.tsx'
import { useRested } from './use-rested.ts'

const ranges = [
  { value: '1', label: '1 d' },
  { value: '7', label: '7 d' },
  { value: '30', label: '30 d' },
] as const
type Days = (typeof ranges)[number]['value']

/** The past against the limit, which moves in a draft; beside it how often other limits would have fired. */
export function HistoryTab({ alert }: { alert: Alert }) {
  const [days, setDays] = useState<Days>('7')
  const [draft, setDraft] = useState<AlertCondition>()
  const condition = draft ?? alert.condition
  const rested = useRested({ condition, days: Number(days) as 1 | 7 | 30 }) // one of the ranges above
  const replay = useAlertReplay(
    rested && { source: alert.source, expr: alert.expr, forMs: alert.forMs, alertId: alert.id, ...rested },
  )
  const history = useRead('alerts.history', { params: { id: alert.id } })
  const { marks } = useAlertMarks(days)
  const { data, error } = replay
  const unit = judgedUnit(alert)
  const format = (value: number) => unitText(value, unit)
  const limit = limitOf(condition)
  const move = (next: number) => setDraft(withLimit(alert.condition, next))
  return (
    <div className="grid items-start gap-x-8 gap-y-8 px-(--gutter) py-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-8">
        <Section
          title="Would it have fired?"
          aside={
            <span className="flex flex-wrap items-center gap-3">
              <MarkLegend kinds={[...new Set(marks.map(({ kind }) => kind))]} />
              <Segmented label="Days" options={ranges} value={days} onChange={setDays} />
            </span>
          }
        >
          {error ? (
            <Notice tone="warn" title="The past cannot be replayed">
              {causeOf(error)}
            </Notice>
          ) : data ? (
            <>
              <p className="pb-2 text-text-2">{replaySentence(data)}</p>
              {data.series.length > 0 ? (
                <ReplayChart replay={data} limit={limit} format={format} marks={marks} onLimit={move} />
              ) : null}
              {data.warnings.map((warning) => (
                <p key={warning} className="text-small text-text-2">
                  {warning}
                </p>
              ))}
            </>
          ) : (
            <Skeleton className="h-64" />
          )}
        </Section>
        {history.data ? <EpisodeRows history={history.data} format={format} marks={marks} /> : null}
      </div>
      <div className="flex min-w-0 flex-col gap-8">
        {data && data.limits.length > 0 ? (
          <div>
            <LimitRows replay={data} current={limit} format={format} onLimit={move} />
            <p className="py-2 text-small text-text-2">
              Acted on: somebody acknowledged or silenced the alert while it fired, or silenced it within 1 h
              of its end.
            </p>
            <SaveLimit
              key={alert.version}
              alert={alert}
              draft={draft}
              format={format}
              onSaved={() => setDraft(undefined)}
            />
          </div>
        ) : null}
        {history.data ? <NotifiedRows notified={history.data.notified} /> : null}
      </div>
    </div>
  )
}

function SaveLimit({
  alert,
  draft,
  format,
  onSaved,
}: {
  alert: Alert
  draft: AlertCondition | undefined
  format: (value: number) => string
  onSaved: () => void
}) {
  const update = useChange('alerts.update')
  const { updateReason } = useAlertActions(alert)
  const before = limitOf(alert.condition) ?? 0
  const after = draft ? (limitOf(draft) ?? before) : before
  const failure = update.error ? errorText('The limit was not changed', update.error) : undefined
  if (draft === undefined || before === after)
    return (
      <p className="text-small text-text-2">The limit is {format(before)}. Drag it, or choose one above.</p>
    )
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        variant="primary"
        busy={update.isPending}
        disabledReason={updateReason}
        onClick={() =>
          update.mutate(
            { params: { id: alert.id }, body: { condition: draft, version: alert.version } },
            { onSuccess: onSaved },
          )
        }
      >
        Change {format(before)} to {format(after)}
      </Button>
      <Button onClick={onSaved}>Keep {format(before)}</Button>
      {failure ? (
        <Notice tone="danger" title={failure.title}>
          {failure.detail}
        </Notice>
      ) : null}
    </div>
  )
}
