import { isDeepStrictEqual } from 'node:util'

import { needsOf, type WorkflowDefinitionBody } from '@bey/contract'

type OldStep = { key: string; status: string; type: string }

/**
 * Keys of the steps whose recorded results a retry takes over: those that were done, are the same in the version that is
 * run now, were not undone, and depend on nothing that is repeated. `from` is a step that is to be repeated.
 */
export function keptSteps(
  definition: WorkflowDefinitionBody,
  before: WorkflowDefinitionBody,
  old: readonly OldStep[],
  from: string | undefined,
): string[] {
  const rows = new Map(old.map((step) => [step.key, step]))
  const earlier = new Map(before.steps.map((step) => [step.key, step]))
  const { steps } = definition
  const isDone = (key: string) => {
    const row = rows.get(key)
    if (row === undefined || row.type === 'stop' || rows.has(`${key}!undo`)) return false
    return row.status === 'succeeded' || row.status === 'skipped'
  }
  const candidates = new Map(
    steps.flatMap((step, index) => {
      const isSame = isDeepStrictEqual(step, earlier.get(step.key))
      return isSame && step.key !== from && isDone(step.key)
        ? [[step.key, needsOf(steps, index)] as const]
        : []
    }),
  )
  dropRepeated(candidates)
  return [...candidates.keys()]
}

/** Drops steps that need one that is not there, until none does. */
function dropRepeated(candidates: Map<string, readonly string[]>): void {
  const dependents = new Map<string, string[]>()
  const open: string[] = []
  for (const [key, needs] of candidates) {
    if (needs.some((need) => !candidates.has(need))) open.push(key)
    for (const need of needs) {
      const after = dependents.get(need)
      if (after === undefined) dependents.set(need, [key])
      else after.push(key)
    }
  }
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (!candidates.delete(key)) continue
    open.push(...(dependents.get(key) ?? []))
  }
}
