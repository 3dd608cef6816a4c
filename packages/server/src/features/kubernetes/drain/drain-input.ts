import type { DrainChoices } from '@bey/contract'
import type { RunFacts } from '../../workflows/definition/definition.ts'

export const drainWorkflowKey = 'node.drain'
export const uncordonWorkflowKey = 'node.uncordon'
export const removeWorkflowKey = 'node.remove'

/** What a run of a drain was started with. */
export type DrainInput = DrainChoices & {
  clusterId: number
  node: string
  nodeUid: string
  /** It took no new pods before the drain already, so a cancelled drain leaves it so. */
  wasCordoned: boolean
  /** The group of nodes that gets smaller, of a node that is removed. */
  group?: string
}

/** The input that `startDrain` alone writes. */
export function drainInputOf(run: Pick<RunFacts, 'input'>): DrainInput {
  return run.input as DrainInput
}

export function nodePath(node: string): string {
  return `/api/v1/nodes/${encodeURIComponent(node)}`
}
