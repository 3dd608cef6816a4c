import { useSearch } from '@tanstack/react-router'
import { useChangeSearch } from '../../../lib/change-search.ts'
import { oneOf } from '../../../lib/list-location.ts'

export const logLevels = ['debug', 'info', 'warning', 'error'] as const
export const runTabs = ['graph', 'timeline', 'steps', 'log', 'details'] as const
export const stepParts = ['items', 'log', 'input', 'output', 'attempts'] as const

export type StepPart = (typeof stepParts)[number]

export interface RunLocation {
  /** As the address says it; undefined is the graph. */
  tab: string | undefined
  /** Key of the step that was chosen. */
  step: string | undefined
  /** What of the step is shown; undefined: its items where it is a loop, else its log. */
  part: StepPart | undefined
  /** The least level of the log. */
  level: (typeof logLevels)[number]
  /** Text that lines of the log contain. */
  search: string
  change: (change: { step?: string | undefined; part?: StepPart; level?: string; search?: string }) => void
}

/** Which part of a run is shown, kept in the address. */
export function useRunLocation(): RunLocation {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const changeSearch = useChangeSearch()
  const text = (name: string) => {
    const value = search[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  return {
    tab: text('tab'),
    step: text('step')?.slice(0, 80),
    part: oneOf(stepParts, text('part')),
    level: oneOf(logLevels, text('level')) ?? 'debug',
    search: text('q')?.slice(0, 200) ?? '',
    change: ({ step, part, level, search: q, ...rest }) =>
      changeSearch({
        ...rest,
        ...(step === undefined ? {} : { step }),
        ...(part === undefined ? {} : { part }),
        ...(level === undefined ? {} : { level: level === 'debug' ? undefined : level }),
        ...(q === undefined ? {} : { q }),
      }),
  }
}

/** The address of a tab of this run; the step that was chosen stays chosen. */
export function tabHref(tab: string | undefined, step: string | undefined): string {
  const params = new URLSearchParams()
  if (tab) params.set('tab', tab)
  if (step) params.set('step', step)
  return `?${params.toString()}`
}
