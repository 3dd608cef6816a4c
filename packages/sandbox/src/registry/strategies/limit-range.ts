import { quantity } from '../../quantity.ts'
import { field, type Cause } from '../../status-error.ts'
import { limitRanges, type LimitRange } from '../../types.ts'
import { checkKey } from '../names.ts'
import { strategy } from '../strategy.ts'

type Item = LimitRange['spec']['limits'][number]
type Bound = 'min' | 'max' | 'default' | 'defaultRequest'

const types = ['Pod', 'Container', 'PersistentVolumeClaim']

/** Containers without limits get the largest allowed, and ask for their limit or the least allowed. */
function fillIn(item: Item): void {
  if (item.type !== 'Container') return
  const { min = {}, max = {} } = item
  const limits = { ...max, ...item.default }
  const requests = { ...min, ...limits, ...item.defaultRequest }
  if (Object.keys(limits).length > 0) item.default = limits
  if (Object.keys(requests).length > 0) item.defaultRequest = requests
}

// Which bound may not exceed which, where the complaint is made and how it names the two.
const rules: readonly [low: Bound, high: Bound, at: Bound, lowName: string, highName: string][] = [
  ['min', 'max', 'min', 'min', 'max'],
  ['min', 'defaultRequest', 'defaultRequest', 'min', 'default request'],
  ['defaultRequest', 'max', 'defaultRequest', 'default request', 'max'],
  ['defaultRequest', 'default', 'defaultRequest', 'default request', 'default limit'],
  ['min', 'default', 'default', 'min', 'default'],
  ['default', 'max', 'default', 'default', 'max'],
]

function checkResource(item: Item, resource: string, path: string): Cause[] {
  const causes: Cause[] = []
  for (const [low, high, at, lowName, highName] of rules) {
    const less = item[low]?.[resource]
    const more = item[high]?.[resource]
    if (less === undefined || more === undefined || quantity(less) <= quantity(more)) continue
    // Of a default that does not fit, the bound that it breaks is shown.
    const shown = at === 'default' ? (low === 'min' ? less : more) : item[at]?.[resource]
    const text = `${lowName} value ${less} is greater than ${highName} value ${more}`
    causes.push(field.invalid(`${path}.${at}[${resource}]`, shown, text))
  }
  const ratio = item.maxLimitRequestRatio?.[resource]
  if (ratio !== undefined && quantity(ratio) < 1) {
    const text = `ratio ${ratio} is less than 1`
    causes.push(field.invalid(`${path}.maxLimitRequestRatio[${resource}]`, ratio, text))
  }
  return causes
}

function checkItem(item: Item, path: string): Cause[] {
  const causes = checkKey(item.type, `${path}.type`)
  if (!item.type.includes('/') && !types.includes(item.type))
    causes.push(field.invalid(`${path}.type`, item.type, 'must be a standard limit type or fully qualified'))
  const { min, max, maxLimitRequestRatio } = item
  if (item.type === 'Pod') {
    for (const part of ['default', 'defaultRequest'] as const) {
      const text = "may not be specified when `type` is 'Pod'"
      if (Object.keys(item[part] ?? {}).length > 0) causes.push(field.forbidden(`${path}.${part}`, text))
    }
  }
  if (item.type === 'PersistentVolumeClaim' && !min?.['storage'] && !max?.['storage']) {
    const text = 'either minimum or maximum storage value is required, but neither was provided'
    causes.push(field.required(`${path}.limits`, text))
  }
  const bounds = item.type === 'Pod' ? [] : [item.default, item.defaultRequest]
  const resources = new Set(
    [min, max, maxLimitRequestRatio, ...bounds].flatMap((one) => Object.keys(one ?? {})),
  )
  for (const resource of resources) causes.push(...checkResource(item, resource, path))
  return causes
}

export const limitRangeStrategy = strategy(limitRanges, {
  defaults({ spec }) {
    for (const item of spec.limits) fillIn(item)
  },
  validate({ spec }) {
    const seen = new Set<string>()
    return spec.limits.flatMap((item, i) => {
      const path = `spec.limits[${i}]`
      const causes = checkItem(item, path)
      if (seen.has(item.type)) causes.push(field.duplicate(`${path}.type`, item.type))
      seen.add(item.type)
      return causes
    })
  },
})
