import type { CallInput, CallOutput, Run } from '@bey/contract'
import { isRunOver } from '@bey/contract'

export type RunList = CallOutput<'workflows.allRuns'>
export type RunListQuery = NonNullable<CallInput<'workflows.allRuns'>['query']>

/**
 * A list with the row of a run that moved in its place: put in, changed, or taken out. Undefined where the server alone
 * knows what the list is now, such as which row comes up from the next page.
 */
export function placeRun(list: RunList, query: RunListQuery | undefined, run: Run): RunList | undefined {
  const { search, sort = 'queuedAt', order = 'desc', page = 1 } = query ?? {}
  if (search) return undefined
  const held = list.runs.find(({ id }) => id === run.id)
  const isIn = matches(query ?? {}, run)
  if (held && isIn) {
    const keepsPlace = sort === 'queuedAt' || held.status === run.status
    return keepsPlace ? { ...list, runs: list.runs.map((row) => (row === held ? run : row)) } : undefined
  }
  // Whether a run matches depends on its status, and on nothing else that changes.
  const isSteady = query?.status === undefined && query?.isOver === undefined
  const isWhole = Number(page) === 1 && list.totalIsExact !== false && list.total === list.runs.length
  if (!isIn) {
    if (held && isWhole) return withRuns(list, without(list.runs, run), -1)
    return !held && (isSteady || isWhole) ? list : undefined
  }
  if (Number(page) !== 1 || sort !== 'queuedAt' || order !== 'desc') return undefined
  const [newest] = list.runs
  const oldest = list.runs.at(-1)
  if (isWhole || (newest && isNewer(run, newest))) {
    const runs = [...list.runs, run].toSorted((a, b) => (isNewer(a, b) ? -1 : 1))
    return withRuns(list, runs.slice(0, list.limit), 1)
  }
  return isSteady && oldest && isNewer(oldest, run) ? list : undefined
}

function withRuns(list: RunList, runs: Run[], more: number): RunList {
  return { ...list, runs, total: list.totalIsExact === false ? list.total : list.total + more }
}

function without(runs: readonly Run[], { id }: Run): Run[] {
  return runs.filter((row) => row.id !== id)
}

function isNewer(a: Run, b: Run): boolean {
  const [aMs, bMs] = [Date.parse(a.queuedAt), Date.parse(b.queuedAt)]
  return aMs === bMs ? a.id > b.id : aMs > bMs
}

function matches(query: RunListQuery, run: Run): boolean {
  const { status, isOver, workflowId, trigger, subjectType, subjectId, since, until } = query
  const queuedMs = Date.parse(run.queuedAt)
  return (
    (status === undefined || status.split(',').includes(run.status)) &&
    (isOver === undefined || isOver === String(isRunOver(run.status))) &&
    (workflowId === undefined || workflowId === run.workflowId) &&
    (trigger === undefined || trigger === run.trigger) &&
    (subjectType === undefined || subjectType === run.subject?.type) &&
    (subjectId === undefined || subjectId === run.subject?.id) &&
    (since === undefined || Date.parse(since) <= queuedMs) &&
    (until === undefined || Date.parse(until) >= queuedMs)
  )
}
