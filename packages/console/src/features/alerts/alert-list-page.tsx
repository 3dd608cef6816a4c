import { seriesText } from '@bey/contract/alerts/rules'
import { deniedReason, entities } from '@bey/contract'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type Alert, type AlertListQuery, alertRefreshMs } from '../../data/alerts.ts'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useChange } from '../../data/use-change.ts'
import { useList } from '../../data/use-read.ts'
import { alertHref, groupTexts, ruleText, sinceLine } from '../../entities/alerts/alert-text.ts'
import { DeleteAlertDialog } from '../../entities/alerts/delete-alert-dialog.tsx'
import { LimitMeter } from './limit-meter.tsx'
import { SilenceDialog } from './silence-dialog.tsx'
import { formatCount } from '../../lib/format.ts'
import { toastCause } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { useListLocation } from '../../lib/list-location.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { HealthStrip } from '../../ui/health-strip.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import type { Column } from '../../ui/table.tsx'
import { focusedRowIndex } from '../../ui/table-focus.ts'
import { toast } from '../../ui/toast.ts'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { AlertMenu } from './alert-menu.tsx'
import { listSentence } from './list-sentence.ts'
import { NoAlertYet } from './no-alert-yet.tsx'

const groups = Object.entries(groupTexts).map(([value, label]) => ({ value, label }))

/** The alerts of the organization: what fires first, with who has it. */
export function AlertListPage() {
  const location = useListLocation()
  const { search } = location
  const query = queryOf(search)
  const list = useList('alerts.list', { query }, { refreshMs: alertRefreshMs })
  const members = useList('members.list', { query: { limit: 200 } }).data?.members ?? []
  const [asked, setAsked] = useState<{ act: 'silence' | 'delete'; alert: Alert }>()
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch alerts', list)
  const close = () => setAsked(undefined)
  const command = apiCommand('List these alerts', 'alerts.list', { query }, useOrganizationId())
  usePageCommands([command])
  useRowKeys(data?.alerts, (alert) => setAsked({ act: 'silence', alert }))
  return (
    <>
      <ListPage
        title="Alerts"
        summary={data && listSentence(data)}
        actions={<CreateAlertLink />}
        search={{ value: search.q ?? '', onChange: (q) => location.change({ q }) }}
        filters={
          <>
            <FilterSelect
              label="Owner"
              all="All owners"
              value={search.author}
              options={members.map(({ id, name }) => ({ value: String(id), label: name }))}
              onChange={(author) => location.change({ author })}
            />
            <FilterSelect
              label="State"
              all="Any state"
              value={search.state}
              options={groups}
              onChange={(state) => location.change({ state })}
            />
            <label className="flex items-center gap-2 text-small text-text-2">
              <input
                type="checkbox"
                checked={search.type === 'ignored'}
                onChange={(event) => location.change({ type: event.target.checked ? 'ignored' : '' })}
              />
              only what nobody acts on{data ? `, ${data.ignoredCount}` : ''}
            </label>
          </>
        }
        page={data}
        onPageChange={(page) => location.change({ page })}
        columns={columns}
        rows={data?.alerts}
        rowKey={({ id }) => id}
        rowHref={({ id }) => alertHref(id)}
        rowLabel={entities.alert.label}
        rowActions={(alert) => (
          <AlertMenu
            alert={alert}
            onSilence={() => setAsked({ act: 'silence', alert })}
            onDelete={() => setAsked({ act: 'delete', alert })}
          />
        )}
        group={({ group }) => ({
          key: group,
          heading: (
            <>
              {groupTexts[group]} <span className="text-text-2">{data?.counts[group]}</span>
            </>
          ),
        })}
        isRefreshing={isPlaceholderData}
        filter={location.isFiltered ? { query: search.q ?? '', onClear: location.clear } : undefined}
        error={failure && <ErrorState {...failure} />}
        empty={<NoAlertYet />}
      />
      <ListFoot count={data && formatCount(data.total, 'alert')} keys={footKeys} command={command.bey} />
      {asked?.act === 'silence' ? <SilenceDialog alert={asked.alert} onClose={close} /> : null}
      {asked?.act === 'delete' ? <DeleteAlertDialog alert={asked.alert} onClose={close} /> : null}
    </>
  )
}

/** `a` takes over and `s` silences the alert whose row has the focus, where the reader may. */
function useRowKeys(alerts: readonly Alert[] | undefined, onSilence: (alert: Alert) => void): void {
  const denied = deniedReason(useRole(), 'alerts.update')
  const acknowledge = useChange('alerts.acknowledge')
  const focused = () => {
    const index = focusedRowIndex()
    return index === undefined || denied !== undefined ? undefined : alerts?.[index]
  }
  usePageKeys('Focused alert', [
    {
      keys: ['a'],
      does: 'Take over',
      run: () => {
        const alert = focused()
        if (!alert || alert.firingCount === 0) return
        acknowledge.mutate(
          { params: { id: alert.id } },
          { onError: (error) => toast('error', 'The alert was not taken over', toastCause(error)) },
        )
      },
    },
    {
      keys: ['s'],
      does: 'Silence',
      run: () => {
        const alert = focused()
        if (alert) onSilence(alert)
      },
    },
  ])
}

const footKeys = [
  { keys: ['a'], does: 'take over' },
  { keys: ['s'], does: 'silence' },
  { keys: ['Enter'], does: 'open' },
  { keys: [' '], does: 'peek' },
] as const

function queryOf({
  page,
  q,
  author,
  state,
  type,
}: ReturnType<typeof useListLocation>['search']): AlertListQuery {
  const group = groups.find(({ value }) => value === state)?.value as AlertListQuery['group'] // one of its keys
  return {
    ...(page && { page }),
    ...(q && { search: q }),
    ...(author && /^\d{1,9}$/.test(author) && { owner: Number(author) }),
    ...(group && { group }),
    ...(type === 'ignored' && { ignored: 'true' as const }),
  }
}

const columns: readonly Column<Alert>[] = [
  {
    key: 'name',
    header: 'Alert',
    width: '20%',
    cell: ({ name, worst }) => (
      <span className="block truncate" title={name}>
        {name} <span className="font-normal text-text-2">{worst ? seriesText(worst.labels) : ''}</span>
      </span>
    ),
  },
  {
    key: 'rule',
    header: 'Fires when',
    width: '10rem',
    cell: (alert) => (
      <span className="block truncate" title={alert.expr}>
        {ruleText(alert)}
      </span>
    ),
  },
  {
    key: 'value',
    header: 'Now and limit',
    align: 'end',
    width: '10.5rem',
    isVital: true,
    cell: (alert) => <LimitMeter alert={alert} />,
  },
  {
    key: 'since',
    header: 'Since',
    width: '11rem',
    cell: (alert) => (
      <span className={cx('block truncate', alert.state === 'firing' && 'text-text')}>
        {alert.state === 'pending' ? <Elapsed alert={alert} /> : null}
        {sinceLine(alert)}
      </span>
    ),
  },
  {
    key: 'strip',
    header: 'State, 24 h',
    width: '10.5rem',
    isExtra: true,
    cell: ({ strip, severity }) => (
      <HealthStrip
        label={`fired in ${strip.filter(Boolean).length} of the last 48 half hours`}
        states={strip.map((fired) => (fired ? (severity === 'critical' ? 'failing' : 'warn') : 'ok'))}
      />
    ),
  },
  {
    key: 'owner',
    header: 'Owner',
    width: '4rem',
    isExtra: true,
    cell: ({ owner }) =>
      owner ? (
        <span title={owner.name}>
          <Avatar email={owner.email ?? owner.name} size={18} />
          <span className="sr-only">{owner.name}</span>
        </span>
      ) : (
        '—'
      ),
  },
  { key: 'fired', header: 'Fired', align: 'end', width: '3.75rem', cell: ({ firedCount }) => firedCount },
  {
    key: 'acted',
    header: 'Acted',
    align: 'end',
    width: '3.75rem',
    cell: ({ firedCount, actedOnCount }) =>
      firedCount === 0 ? '—' : <span className={cx(actedOnCount === 0 && 'text-warn')}>{actedOnCount}</span>,
  },
]

/** How much of its duration a pending alert has lasted. */
function Elapsed({ alert: { since, forMs, evaluatedAt } }: { alert: Alert }) {
  const share =
    since === null || forMs === 0
      ? 0
      : Math.min(1, (Date.parse(evaluatedAt ?? since) - Date.parse(since)) / forMs)
  return (
    <span
      aria-hidden
      className="mr-2 inline-block h-1 w-11 overflow-hidden rounded-full bg-active align-middle"
    >
      <span className="block h-full bg-info" style={{ width: `${share * 100}%` }} />
    </span>
  )
}

function CreateAlertLink() {
  return (
    <ButtonLink
      href="/analytics/alerts/create"
      variant="primary"
      icon={<Plus size={14} aria-hidden />}
      disabledReason={deniedReason(useRole(), 'alerts.create')}
    >
      Create alert
    </ButtonLink>
  )
}
