import { useEvaluation } from '../../../data/workflow-authoring.ts'
import { useList } from '../../../data/use-read.ts'
import type { KnownValues } from './suggestions.ts'

/** What expressions could name in a run; undefined where there is no run, or its values cannot be read. */
export function useKnownValues(runId: string | undefined): KnownValues | undefined {
  const inputs = useEvaluation(
    runId === undefined ? undefined : { source: 'inputs', kind: 'expression', runId },
  )
  const steps = useEvaluation(
    runId === undefined ? undefined : { source: 'steps', kind: 'expression', runId },
  )
  if (runId === undefined || (inputs.data?.value === undefined && steps.data?.value === undefined))
    return undefined
  return { inputs: inputs.data?.value, steps: steps.data?.value }
}

/** Names of secrets that an expression may use; the first 200. */
export function useSecretNames(): readonly string[] {
  return useList('secrets.list', { query: { limit: 200 } }).data?.secrets.map(({ name }) => name) ?? none
}

const none: readonly string[] = []
