import { Check, X } from 'lucide-react'
import { useEvaluation } from '../../../data/workflow-authoring.ts'
import { Truncated } from '../../../ui/truncated.tsx'
import { shortText } from './suggestions.ts'
import { useDebounced } from './use-debounced.ts'

export interface LastRun {
  id: string
  /** The step whose form is open; undefined for the workflow's own. */
  stepKey: string | undefined
}

export interface LastValueProps {
  source: string
  syntax: 'template' | 'expression'
  /** Of an expression that the type of the step evaluates itself. */
  variables: readonly string[] | undefined
  last: LastRun | undefined
}

/** Beside the label of a field: what its expression was in the last run, or that it had no value there. */
export function LastValue({ source, syntax, variables, last }: LastValueProps) {
  const asked = useDebounced(source, 400)
  const isResponse = variables?.includes('response') === true
  const isKnown = variables === undefined || (isResponse && last?.stepKey !== undefined)
  const isAsked = syntax === 'expression' ? asked.trim() !== '' : asked.includes('{{')
  const { data } = useEvaluation(
    last && isKnown && isAsked && asked.length <= 4_000
      ? {
          source: asked,
          kind: syntax,
          runId: last.id,
          ...(isResponse && last.stepKey !== undefined ? { stepKey: last.stepKey } : {}),
        }
      : undefined,
  )
  if (!isAsked || asked !== source || !data) return null
  if (data.error !== null) {
    return (
      <span className="text-text-3" data-tooltip={data.error}>
        no value in the last run
      </span>
    )
  }
  if (data.value === undefined) return null
  if (typeof data.value === 'boolean') {
    const Icon = data.value ? Check : X
    return (
      <span className="flex items-center gap-1">
        <Icon size={14} aria-hidden />
        {String(data.value)} in the last run
      </span>
    )
  }
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="max-w-48 min-w-0 font-mono">
        <Truncated>{shortText(data.value)}</Truncated>
      </span>
      <span className="shrink-0">in the last run</span>
    </span>
  )
}
