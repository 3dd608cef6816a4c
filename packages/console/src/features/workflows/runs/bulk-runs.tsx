import type { Run, RunStatus } from '@bey/contract'
import { deniedReason, isRunOver, runStatuses } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { CircleStop, GitCompareArrows, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import type { RunListQuery } from '../../../data/run-lists.ts'
import { useChange } from '../../../data/use-change.ts'
import { errorText } from '../../../lib/error-text.ts'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { runHref } from '../../../lib/run-text.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { compareHref } from './compare-location.ts'
import { statusesOf } from './run-query.ts'

const icon = { size: 14, 'aria-hidden': true } as const

export interface BulkRunsProps {
  /** At least one. */
  selected: readonly Run[]
  /** What the list shows, and how many that are. */
  query: RunListQuery
  total: number
  /** How many of them each status has, whatever statuses the list shows; undefined while that is read. */
  counts: Readonly<Record<string, number>> | undefined
  onClear: () => void
}

/** In the place of the filters while runs are selected: what can be done with them, or with all that match. */
export function BulkRuns({ selected, query, total, counts, onClear }: BulkRunsProps) {
  const [isAll, setAll] = useState(false)
  const [asked, setAsked] = useState<'cancel' | 'retry'>()
  const role = useRole()
  const stale = useStaleReason()
  const canHaveAll = total > selected.length && query.subjectId === undefined
  const counted = isAll ? matchingCounts(counts, query) : countsOf(selected)
  const open = sumOf(counted, ({ isOver }) => !isOver)
  const failed = sumOf(counted, ({ isOver, status }) => isOver && status !== 'completed')
  const refused = deniedReason(role, 'workflows.execute') ?? stale
  return (
    <fieldset aria-label="Selected runs" className="flex min-w-0 flex-wrap content-start items-center gap-2">
      <output className="mr-1 flex h-7 items-center font-medium tabular-nums">
        {isAll ? `All ${formatNumber(total)} that match` : `${selected.length} selected`}
      </output>
      {canHaveAll ? (
        <Button size="small" variant="ghost" onClick={() => setAll((is) => !is)}>
          {isAll ? 'Only the selected' : `Select all ${formatNumber(total)}`}
        </Button>
      ) : null}
      <Button
        size="small"
        icon={<CircleStop {...icon} />}
        disabledReason={refused ?? tooMany(open) ?? (open > 0 ? undefined : 'All of them have ended.')}
        onClick={() => setAsked('cancel')}
      >
        Cancel
      </Button>
      <Button
        size="small"
        icon={<RotateCcw {...icon} />}
        disabledReason={
          refused ?? tooMany(failed) ?? (failed > 0 ? undefined : 'None of them failed or was cancelled.')
        }
        onClick={() => setAsked('retry')}
      >
        Retry
      </Button>
      <ButtonLink
        size="small"
        icon={<GitCompareArrows {...icon} />}
        href={compareHref(selected.at(-1), selected[0])}
        disabledReason={!isAll && selected.length === 2 ? undefined : 'Select two runs to compare them.'}
      >
        Compare
      </ButtonLink>
      <Button size="small" variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
      {asked ? (
        <ConfirmBulk
          action={asked}
          selected={selected}
          filter={isAll ? query : undefined}
          count={asked === 'cancel' ? open : failed}
          onClose={() => setAsked(undefined)}
          onDone={onClear}
        />
      ) : null}
    </fieldset>
  )
}

/** One bulk act takes no more. */
const mostRuns = 1_000

function tooMany(count: number): string | undefined {
  if (count <= mostRuns) return undefined
  return `At most ${formatNumber(mostRuns)} runs at once: narrow the list, for example by time.`
}

type Counts = readonly { status: RunStatus; count: number }[]

const countsOf = (runs: readonly Run[]): Counts => runs.map(({ status }) => ({ status, count: 1 }))

function matchingCounts(counts: Readonly<Record<string, number>> | undefined, query: RunListQuery): Counts {
  const chosen = statusesOf(query.status === undefined ? {} : { status: query.status })
  return (chosen.length > 0 ? chosen : runStatuses).map((status) => ({
    status,
    count: counts?.[status] ?? 0,
  }))
}

function sumOf(counts: Counts, isMeant: (of: { status: RunStatus; isOver: boolean }) => boolean): number {
  return counts.reduce(
    (sum, { status, count }) => (isMeant({ status, isOver: isRunOver(status) }) ? sum + count : sum),
    0,
  )
}

function ConfirmBulk({
  action,
  selected,
  filter,
  count,
  onClose,
  onDone,
}: {
  action: 'cancel' | 'retry'
  selected: readonly Run[]
  /** All runs of it, not only the selected. */
  filter: RunListQuery | undefined
  count: number
  onClose: () => void
  onDone: () => void
}) {
  const bulk = useChange('workflows.bulk')
  const navigate = useNavigate()
  const failure = bulk.error
    ? errorText(
        action === 'cancel' ? 'Failed to cancel workflow runs' : 'Failed to retry workflow runs',
        bulk.error,
      )
    : undefined
  const send = () =>
    bulk.mutate(
      { body: { action, filter: filter ? filterOf(filter) : { runIds: selected.map(({ id }) => id) } } },
      {
        onSuccess: ({ run }) => {
          onDone()
          void navigate({ to: runHref({ workflowId: run.workflowId, runId: run.id }) })
        },
      },
    )
  const verb = action === 'cancel' ? 'Cancel' : 'Retry'
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`${verb} ${filter ? 'all runs that match' : 'the selected runs'}?`}
      name={formatCount(count, 'run')}
      impactTitle="What happens:"
      impact={[
        action === 'cancel'
          ? 'Runs that are under way are asked to stop; those that have ended stay as they are'
          : 'Each that failed, timed out or was cancelled starts again from its failed step, as a new run',
        ...(action === 'retry' ? ["Runs of Bey's own workflows are left out"] : []),
        'This is a run of its own, with a line for each of them',
      ]}
      action={`${verb} ${formatCount(count, 'run')}`}
      {...(action === 'cancel' ? { dismiss: 'Keep running' } : {})}
      isDestructive={action === 'cancel'}
      busy={bulk.isPending}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={send}
    />
  )
}

/** The filter of a list as the bulk act takes it. */
function filterOf({ status, workflowId, trigger, since, until, search }: RunListQuery) {
  const statuses = statusesOf(status === undefined ? {} : { status })
  return {
    ...(statuses.length > 0 ? { status: [...statuses] } : {}),
    ...(workflowId === undefined ? {} : { workflowId }),
    ...(trigger === undefined ? {} : { trigger }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(search === undefined ? {} : { search }),
  }
}
