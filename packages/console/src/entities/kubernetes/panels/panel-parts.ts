import type { Container } from './containers.ts'
import type { DataEntry } from './data-entries.ts'
import type { Fields } from './fields.ts'

/** Another object of the same cluster. */
interface PanelRef {
  resource: string
  /** Empty for what belongs to no namespace. */
  namespace: string
  name: string
}

/** What a panel shows at one place, free of markup: text, figure, or something that is drawn in its own way. */
export type PanelValue =
  | null
  | string
  | number
  | { at: string }
  | { ref: PanelRef; text?: string }
  /** Glyph and word. */
  | { status: string; label: string }
  /** In the mono face. */
  | { code: string }
  | readonly PanelValue[]

export interface PanelFact {
  label: string
  value: PanelValue
}

/** One section of an object's overview. */
export type PanelPart = {
  title: string
  /** In the narrow column beside the rest. */
  isAside?: boolean
} & (
  | { type: 'facts'; facts: readonly PanelFact[] }
  | {
      type: 'table'
      columns: readonly string[]
      rows: readonly (readonly PanelValue[])[]
      /** Shown instead of no rows; without it the whole part is left out. */
      empty?: string
    }
  | { type: 'sentences'; lines: readonly string[] }
  | { type: 'containers'; containers: readonly Container[] }
  | { type: 'data'; entries: readonly DataEntry[] }
  | { type: 'secret'; keys: readonly string[] }
  | { type: 'schedule'; schedule: string; timeZone: string | null; isSuspended: boolean }
  /** Nested values, folded. */
  | { type: 'values'; value: Fields }
)

/** What is shown of an object of one kind: a function of the object alone. */
export type Panel = (object: Fields) => readonly PanelPart[]

/** Facts that are known; what is missing is left out. */
export function known(facts: readonly (PanelFact | false | null | undefined)[]): readonly PanelFact[] {
  return facts.filter((fact): fact is PanelFact => {
    if (!fact || fact.value === null) return false
    return !Array.isArray(fact.value) || fact.value.length > 0
  })
}

/** A reference in a namespace, or null where there is no name. */
export function ref(resource: string, namespace: string, name: string | null): PanelValue {
  return name === null ? null : { ref: { resource, namespace, name } }
}

export function code(value: string | null): PanelValue {
  return value === null ? null : { code: value }
}
