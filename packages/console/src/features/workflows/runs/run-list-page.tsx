import { entities } from '@bey/contract'
import { useState } from 'react'
import { useOrganizationId } from '../../../data/session.ts'
import { useList } from '../../../data/use-read.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatCount } from '../../../lib/format.ts'
import type { ListLocation } from '../../../lib/list-location.ts'
import { oneOf, tableControls, useListLocation } from '../../../lib/list-location.ts'
import { apiCommand, usePageCommands } from '../../../lib/page-commands.ts'
import { useRunRows } from '../../../lib/run-rows.ts'
import { triggerText } from '../../../lib/run-text.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ListPage } from '../../../ui/list-page.tsx'
import { runTable } from '../../../ui/run-table.tsx'
import { BulkRuns } from './bulk-runs.tsx'
import { RunFilters } from './run-filters.tsx'
import { periodNames, runPeriods, runTriggers, statusesOf, useRunQuery } from './run-query.ts'
import { RunViewsMenu } from './run-views-menu.tsx'
import { StatusCounts } from './status-counts.tsx'

const path = entities.run.paths.list

/** The runs of every workflow: narrowed by status, workflow, trigger, time and text, all of it in the address. */
export function RunListPage() {
  const listLocation = useListLocation()
  const { search, change } = listLocation
  const words = useFilterWords(listLocation).filter(Boolean)
  const query = useRunQuery(listLocation)
  const list = useList('workflows.allRuns', { query: query.list })
  const { data: counted } = useList('workflows.runCounts', { query: query.counts })
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch workflow runs', list)
  const organizationId = useOrganizationId()
  usePageCommands([apiCommand('List these runs', 'workflows.allRuns', { query: query.list }, organizationId)])
  const rows = useRunRows(data?.runs)
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  // Runs that left the list are no longer selected: actions apply to visible rows only.
  const selected = data?.runs.filter(({ id }) => keys.has(id)) ?? []
  return (
    <ListPage
      title="Runs"
      summary={data && summaryOf(data.total, data.totalIsExact)}
      actions={
        <>
          <ButtonLink href="/workflows/approvals">Approvals</ButtonLink>
          <RunViewsMenu path={path} isFiltered={words.length > 0} />
        </>
      }
      search={{ value: search.q ?? '', onChange: (q) => change({ q }) }}
      filters={<RunFilters listLocation={listLocation} />}
      bulkBar={
        selected.length > 0 ? (
          <BulkRuns
            selected={selected}
            query={query.list}
            total={data?.total ?? 0}
            counts={counted?.counts}
            onClear={() => setKeys(new Set())}
          />
        ) : null
      }
      notice={
        <StatusCounts
          counts={counted?.counts}
          chosen={statusesOf(search)}
          onChange={(chosen) => change({ status: chosen.join(',') })}
        />
      }
      page={data}
      onPageChange={(page) => change({ page })}
      {...runTable(['name', 'subject', 'status', 'trigger', 'by', 'duration', 'queuedAt'])}
      rows={rows}
      selection={{ selected: new Set(selected.map(({ id }) => id)), onChange: setKeys }}
      {...tableControls({ ...listLocation, clear: () => change(noFilters) }, query.list, newestFirst, words)}
      isRefreshing={isPlaceholderData}
      error={failure && <ErrorState {...failure} />}
      empty={
        <EmptyState
          title="No runs yet"
          description="Every long operation is a run with steps and logs, for example creating a cluster."
          action={<ButtonLink href={entities.cluster.paths.create}>Create cluster</ButtonLink>}
        />
      }
    />
  )
}

const noFilters = { q: '', status: '', workflow: '', trigger: '', period: '', from: '', to: '' }

const newestFirst = { key: 'queuedAt', direction: 'desc' } as const

function summaryOf(total: number, isExact = true): string {
  return isExact ? formatCount(total, 'run') : `More than ${formatCount(total, 'run')}`
}

function useFilterWords({ search }: ListLocation): readonly (string | undefined)[] {
  const workflows = useList('workflows.list', { query: { limit: 200 } }).data?.workflows
  const trigger = oneOf(runTriggers, search.trigger)
  const period = oneOf(periodNames, search.period)
  return [
    search.q,
    ...statusesOf(search).map((status) => status.replaceAll('_', ' ')),
    search.workflow && (workflows?.find(({ id }) => id === search.workflow)?.name ?? 'another workflow'),
    trigger && triggerText(trigger),
    period && runPeriods[period].label,
    search.from && 'from a time on',
    search.to && 'until a time',
  ]
}
