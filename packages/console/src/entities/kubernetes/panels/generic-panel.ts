import type { Fields } from './fields.ts'
import { at, text } from './fields.ts'
import type { Panel, PanelPart } from './panel-parts.ts'

/** At the top of every object, and shown elsewhere on the page. */
const elsewhere = new Set(['apiVersion', 'kind', 'metadata', 'conditions'])

/** What an object of any kind says: its plain values as facts, what is nested folded. */
export const genericPanel: Panel = (object) => {
  const rest = Object.fromEntries(
    Object.entries(object).filter(([key]) => !elsewhere.has(key) && key !== 'spec' && key !== 'status'),
  )
  return [
    ...partsOf('Specification', at(object, 'spec')),
    ...partsOf('Status', at(object, 'status')),
    ...partsOf('Content', rest),
  ]
}

function partsOf(title: string, value: unknown): readonly PanelPart[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const all = Object.entries(value).filter(([key]) => !elsewhere.has(key))
  const plain = all.filter(([, each]) => text(each) !== null)
  const nested = all.filter(([, each]) => typeof each === 'object' && each !== null && !isEmpty(each))
  return [
    ...(plain.length > 0
      ? [
          {
            type: 'facts' as const,
            title,
            facts: plain.map(([key, each]) => ({ label: fieldWords(key), value: text(each) })),
          },
        ]
      : []),
    ...(nested.length > 0
      ? [
          {
            type: 'values' as const,
            title: plain.length > 0 ? `${title}, nested` : title,
            value: Object.fromEntries(nested) as Fields,
          },
        ]
      : []),
  ]
}

const isEmpty = (value: object) => Object.keys(value).length === 0

/** "observedGeneration" as "Observed generation". */
export function fieldWords(name: string): string {
  const spaced = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
  const words = spaced.replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
