import type { Role, Workflow, WorkflowState } from '@bey/contract'
import { deniedReason, isRunOver, workflowMoves } from '@bey/contract'

/** Where a workflow is shown, and the parts of its page. */
export function workflowHref(id: string, tab?: string): string {
  return tab === undefined ? `/workflows/${id}` : `/workflows/${id}?tab=${tab}`
}

/** How often it failed in a row, counted from its newest run that is over, since when, and when last. */
export function failuresInRow({
  activity: { runs },
}: Pick<Workflow, 'activity'>): { count: number; since: string; lastAt: string } | undefined {
  const over = runs.filter(
    ({ status }) => isRunOver(status) && status !== 'cancelled' && status !== 'expired',
  )
  const lastGood = over.findLastIndex(({ status }) => status === 'completed')
  const failed = over.slice(lastGood + 1)
  const [first] = failed
  const last = failed.at(-1)
  return first && last ? { count: failed.length, since: first.queuedAt, lastAt: last.queuedAt } : undefined
}

/** Why a workflow cannot be started by hand. */
export function executeReason(
  workflow: Pick<Workflow, 'isBuiltIn' | 'state' | 'purgeAt'>,
  role: Role,
): string | undefined {
  if (workflow.isBuiltIn) return 'Built-in workflows are read-only and run when their operation is asked for.'
  if (workflow.purgeAt !== null) return deletedReason
  if (workflow.state === 'archived') return 'It is archived. Activate it first.'
  return deniedReason(role, 'workflows.execute')
}

/** Why a workflow cannot be changed. */
export function changeReason(
  workflow: Pick<Workflow, 'isBuiltIn' | 'purgeAt'>,
  role: Role,
): string | undefined {
  if (workflow.purgeAt !== null) return deletedReason
  return workflow.isBuiltIn ? 'Built-in workflows are read-only.' : deniedReason(role, 'workflows.update')
}

const deletedReason = 'It is deleted. Restore it first.'

/** The verb of a move of a workflow. */
export const stateVerbs: Record<WorkflowState, string> = {
  draft: 'Make a draft',
  active: 'Activate',
  paused: 'Pause',
  archived: 'Archive',
}

/** The states that a workflow can be moved to. */
export function movesOf({ state }: Pick<Workflow, 'state'>): readonly WorkflowState[] {
  return workflowMoves[state]
}

/** A workflow as what stands above a page in the breadcrumbs. */
export const workflowParents = ({ id, name }: Pick<Workflow, 'id' | 'name'>) => [
  { label: name, href: workflowHref(id) },
]
