import { at, items, labelsOf, text } from './fields.ts'

type Labels = Readonly<Record<string, string>>

/** Whether a label selector matches; an empty one matches everything, a missing one nothing (Kubernetes API reference). */
export function selects(selector: unknown, labels: Labels): boolean {
  if (typeof selector !== 'object' || selector === null) return false
  const wanted = Object.entries(labelsOf(at(selector, 'matchLabels')))
  if (wanted.some(([key, value]) => labels[key] !== value)) return false
  return items(at(selector, 'matchExpressions')).every((each) => {
    const key = text(each['key']) ?? ''
    const has = Object.hasOwn(labels, key)
    const values = Array.isArray(each['values']) ? each['values'] : []
    switch (each['operator']) {
      case 'In':
        return has && values.includes(labels[key])
      case 'NotIn':
        return !has || !values.includes(labels[key])
      case 'Exists':
        return has
      case 'DoesNotExist':
        return !has
      default:
        return false
    }
  })
}

/** Whether the plain selector of a service matches; an empty one selects no pod. */
export function selectsPlainly(selector: unknown, labels: Labels): boolean {
  const wanted = Object.entries(labelsOf(selector))
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value)
}

/** A selector as the API server takes it in a query; undefined where it selects nothing. */
export function selectorQuery(selector: unknown): string | undefined {
  if (typeof selector !== 'object' || selector === null) return undefined
  const parts = items(at(selector, 'matchExpressions')).map((each) => {
    const key = text(each['key']) ?? ''
    const values = Array.isArray(each['values']) ? each['values'].join(',') : ''
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
  return [...plain(at(selector, 'matchLabels')), ...parts].join(',')
}

/** The plain selector of a service as a query; undefined where it selects no pod. */
export function plainSelectorQuery(selector: unknown): string | undefined {
  return plain(selector).join(',') || undefined
}

const plain = (labels: unknown) => Object.entries(labelsOf(labels)).map(([key, value]) => `${key}=${value}`)
