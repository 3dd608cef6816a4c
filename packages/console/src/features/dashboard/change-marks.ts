import type { AttentionItem, Dashboard, Run } from '@bey/contract'
import { dashboardMarksSince, dashboardRuns } from '@bey/contract'
import { useMemo } from 'react'
import type { ChartRangeControl } from '../../entities/metrics/chart-range.ts'
import { runHref } from '../../lib/run-text.ts'
import type { ChartMark } from '../../ui/chart/chart-types.ts'
import { useList } from '../../data/use-read.ts'

/** What changed in the range of a chart: runs, those that failed, and when what needs attention began. */
export function useChangeMarks(
  figures: Dashboard | undefined,
  { rangeSeconds, end }: Pick<ChartRangeControl, 'rangeSeconds' | 'end'>,
): ChartMark[] {
  // To the minute: what the query is for must not change with every drawing.
  const since = useMemo(() => dashboardMarksSince({ end, rangeSeconds }), [rangeSeconds, end])
  const runs = useList(
    'workflows.allRuns',
    { query: { limit: dashboardRuns.marked, since } },
    { isEnabled: figures !== undefined },
  ).data?.runs
  return useMemo(
    () => [...(runs ?? []).map(runMark), ...(figures?.attention.items ?? []).flatMap(attentionMark)],
    [runs, figures],
  )
}

function runMark({ id, workflowId, workflowName, subject, status, queuedAt, finishedAt }: Run): ChartMark {
  const isFailure = status === 'failed' || status === 'timed_out'
  return {
    at: Date.parse((isFailure ? finishedAt : null) ?? queuedAt),
    kind: isFailure ? 'failure' : 'run',
    text: [workflowName, subject?.name, isFailure ? 'failed' : ''].filter(Boolean).join(' '),
    href: runHref({ workflowId, runId: id }),
  }
}

function attentionMark({ kind, name, health }: AttentionItem): ChartMark[] {
  if (kind === 'Run' || health.state !== 'failing' || health.since === null) return []
  return [{ at: Date.parse(health.since), kind: 'failure', text: `${name} began to fail` }]
}
