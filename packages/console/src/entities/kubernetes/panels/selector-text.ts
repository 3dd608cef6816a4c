import { at, entries, items, text, texts } from './fields.ts'

/** A label selector as kubectl writes it: "app=web,tier in (a,b)"; null for one that selects nothing or everything. */
export function selectorText(selector: unknown): string | null {
  const requirements = items(at(selector, 'matchExpressions')).map((each) => {
    const key = text(each['key']) ?? ''
    const values = texts(each['values']).join(',')
    switch (each['operator']) {
      case 'In':
        return `${key} in (${values})`
      case 'NotIn':
        return `${key} notin (${values})`
      case 'DoesNotExist':
        return `!${key}`
      default:
        return key
    }
  })
  return [...labelList(at(selector, 'matchLabels')), ...requirements].join(',') || null
}

/** Labels as kubectl writes them: "app=web,tier=front". */
export function labelsText(labels: unknown): string | null {
  return labelList(labels).join(',') || null
}

function labelList(labels: unknown): readonly string[] {
  return entries(labels).map(([key, value]) => `${key}=${value}`)
}
