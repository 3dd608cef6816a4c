import type { ChangeEntry, Run } from '@bey/contract'
import { useMemo } from 'react'
import { useChangesOfClusters, useClusterChanges } from '../../data/kubernetes-changes.ts'
import { useClusters } from '../../data/clusters.ts'
import { useList } from '../../data/use-read.ts'
import { clusterHref } from '../clusters/cluster-text.ts'
import { runHref } from '../../lib/run-text.ts'
import type { ChartMark, ChartRange } from '../../ui/chart/chart-types.ts'

/** Changes are read of so many clusters at most, and of so long a time. */
const maxClusters = 5
const maxChangeMs = 7 * 86_400_000
const minuteMs = 60_000

interface MarkedTime {
  rangeSeconds: number
  end?: string | undefined
  /** Titles of the clusters whose changes are marked; all of them unless given. */
  clusterTitles?: readonly string[] | undefined
}

/** The time that is shown, to the minute: a question must not change with every drawing. */
function windowOf({ rangeSeconds, end }: MarkedTime): ChartRange {
  const toMs = Math.ceil((end === undefined ? Date.now() : Date.parse(end)) / minuteMs) * minuteMs
  return { fromMs: toMs - rangeSeconds * 1000, toMs }
}

export type ChangeMark = ChartMark & { href: string }

/** What changed in a time: runs, deployments, edits through Bey, and failures. */
export function useChangeMarks({ rangeSeconds, end, clusterTitles }: MarkedTime): ChangeMark[] {
  const window = useMemo(() => windowOf({ rangeSeconds, end }), [rangeSeconds, end])
  const iso = (ms: number) => new Date(ms).toISOString()
  const runs = useList('workflows.allRuns', { query: { limit: 200, since: iso(window.fromMs) } }).data?.runs
  const clusters = useClusters({ limit: 200 }).data?.clusters
  const chosen = clusterTitles ?? []
  const shown = useMemo(
    () =>
      (clusters ?? [])
        .filter(
          ({ status, title }) => status === 'RUNNING' && (chosen.length === 0 || chosen.includes(title)),
        )
        .slice(0, maxClusters),
    // The names decide, not the list that holds them.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [clusters, chosen.join(',')],
  )
  const changes = useChangesOfClusters(
    shown.map(({ id }) => id),
    { from: iso(Math.max(window.fromMs, window.toMs - maxChangeMs)), to: iso(window.toMs) },
  )
  return useMemo(() => {
    const marks = [
      ...(runs ?? []).map(runMark),
      ...shown.flatMap(({ id, title }, index) =>
        (changes[index] ?? []).flatMap((change) => changeMark(change, id, title)),
      ),
    ]
    return marks.filter(({ at }) => at >= window.fromMs && at <= window.toMs).toSorted((a, b) => a.at - b.at)
  }, [runs, shown, changes, window])
}

/** What changed in one cluster in the range of its charts. */
export function useClusterMarks(
  { id, title }: { id: number; title: string },
  { rangeSeconds, end }: MarkedTime,
  isEnabled: boolean,
): ChangeMark[] {
  const { fromMs, toMs } = useMemo(() => windowOf({ rangeSeconds, end }), [rangeSeconds, end])
  const window = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
  const { data } = useClusterChanges(id, window, { warnings: 'none', isEnabled })
  return useMemo(
    () =>
      (data?.changes ?? [])
        .flatMap((change) => changeMark(change, id, title))
        .filter(({ at }) => at >= fromMs && at <= toMs)
        .toReversed(),
    [data, id, title, fromMs, toMs],
  )
}

function runMark({ id, workflowId, workflowName, subject, status, queuedAt, finishedAt }: Run): ChangeMark {
  const isFailure = status === 'failed' || status === 'timed_out'
  return {
    at: Date.parse((isFailure ? finishedAt : null) ?? queuedAt),
    kind: isFailure ? 'failure' : 'run',
    text: [workflowName, subject?.name, isFailure ? 'failed' : ''].filter(Boolean).join(' '),
    href: runHref({ workflowId, runId: id }),
  }
}

const workloadKinds = /^(Deployment|StatefulSet|DaemonSet) /

/** Deployments and what was done through Bey; a cluster's own events are too many to be marks. */
function changeMark(
  { at, kind, title, isTrouble }: ChangeEntry,
  clusterId: number,
  cluster: string,
): ChangeMark[] {
  const isDeploy = kind === 'object' && workloadKinds.test(title) && title.endsWith(' updated')
  if (!isDeploy && kind !== 'action') return []
  const ms = Date.parse(at)
  return [
    {
      at: ms,
      kind: isTrouble ? 'failure' : isDeploy ? 'deploy' : 'edit',
      text: `${title} in ${cluster}`,
      href: changesHref(clusterId, ms),
    },
  ]
}

/** What changed in a cluster in the quarters of an hour before and after a time, in milliseconds since 1970. */
export function changesHref(clusterId: number, atMs: number): string {
  const from = new Date(atMs - 15 * minuteMs).toISOString()
  const to = new Date(atMs + 15 * minuteMs).toISOString()
  return clusterHref(clusterId, `changes?from=${from}&to=${to}`)
}
