import { useState } from 'react'
import type { ParameterValues } from './parameter-fields.tsx'
import type { SqlParameter } from './use-sql-run.ts'

/** Values of the parameters of each tab, as long as the console is open: they are kept nowhere. */
export function useParameters(tab: string) {
  const [all, setAll] = useState<Readonly<Record<string, ParameterValues>>>({})
  const [missing, setMissing] = useState<readonly string[]>([])
  const values = all[tab] ?? {}
  return {
    values,
    problems: Object.fromEntries(
      missing
        .filter((name) => isMissing(values[name]))
        .map((name) => [name, 'Enter a value, or choose NULL.']),
    ),
    change(name: string, value: string | null): void {
      setAll((before) => ({ ...before, [tab]: { ...before[tab], [name]: value } }))
    },
    /** The values of these parameters; undefined where one is missing, which its field says then. */
    take(names: readonly string[]): SqlParameter[] | undefined {
      const absent = names.filter((name) => isMissing(values[name]))
      setMissing(absent)
      const [first] = absent
      if (first === undefined) return names.map((name) => ({ name, value: values[name] ?? null }))
      document.querySelector<HTMLElement>(`[data-parameter="${first}"]`)?.focus()
      return undefined
    },
  }
}

const isMissing = (value: string | null | undefined) => value === undefined || value === ''
