/** What names a run. */
interface RunIds {
  workflowId: string
  id: string
}

/** The page that compares two runs; the list of runs where one is not known. */
export function compareHref(a: RunIds | undefined, b: RunIds | undefined): string {
  if (!a || !b) return '/workflows/runs'
  const params = new URLSearchParams({ a: `${a.workflowId}/${a.id}`, b: `${b.workflowId}/${b.id}` })
  return `/workflows/runs/compare?${params.toString()}`
}

const pair = /^([0-9a-f-]{36})\/([0-9a-f-]{36})$/i

/** The run that a part of the address names: its workflow and itself. */
export function runIdsOf(text: unknown): { workflowId: string; runId: string } | undefined {
  const match = typeof text === 'string' ? pair.exec(text) : null
  const [, workflowId, runId] = match ?? []
  return workflowId && runId ? { workflowId, runId } : undefined
}
