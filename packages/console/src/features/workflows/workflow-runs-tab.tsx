import type { Workflow } from '@bey/contract'
import { runStatuses } from '@bey/contract'
import { executeReason, workflowHref } from '../../entities/workflows/workflow-text.ts'
import { useRole } from '../../data/session.ts'
import { useList } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { oneOf, tableControls, useListLocation } from '../../lib/list-location.ts'
import { useRunRows } from '../../lib/run-rows.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { RunTable } from '../../ui/run-table.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { RunStatusSelect } from './run-status-select.tsx'

/** The runs of one workflow, newest first. */
export function WorkflowRunsTab({ workflow }: { workflow: Workflow }) {
  const listLocation = useListLocation()
  const { search, change } = listLocation
  const status = oneOf(runStatuses, search.status)
  const sort = oneOf(['queuedAt', 'status'], search.sort) ?? 'queuedAt'
  const order = search.order ?? 'desc'
  const query = { page: search.page ?? 1, sort, order, ...(status ? { status } : {}) }
  const list = useList('workflows.runs', { params: { id: workflow.id }, query })
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch workflow runs', list)
  const rows = useRunRows(data?.runs)
  const reason = executeReason(workflow, useRole())
  return (
    <>
      <Toolbar pages={data ? <Pagination {...data} onPageChange={(page) => change({ page })} /> : null}>
        <RunStatusSelect listLocation={listLocation} />
      </Toolbar>
      <RunTable
        label="Runs of this workflow"
        show={['subject', 'status', 'trigger', 'by', 'duration', 'queuedAt']}
        rows={rows}
        {...tableControls(listLocation, {}, { key: sort, direction: order }, [status?.replaceAll('_', ' ')])}
        isRefreshing={isPlaceholderData}
        isFilled
        error={failure && <ErrorState {...failure} />}
        empty={
          <EmptyState
            title="Never run"
            description="Its runs appear here as they are queued."
            action={
              reason === undefined ? (
                <ButtonLink href={`${workflowHref(workflow.id)}/execute`}>Execute workflow</ButtonLink>
              ) : null
            }
          />
        }
      />
    </>
  )
}
