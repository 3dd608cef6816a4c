export type Labels = Readonly<Record<string, string>>

/** As in `meta/v1` LabelSelector. An empty one matches everything. */
export type LabelSelector = {
  matchLabels?: Labels
  matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[]
}

export type LabelTest = (labels: Labels) => boolean

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist']

/** Why an API server refuses this selector; undefined where it does not. */
export function selectorFault({ matchExpressions = [] }: LabelSelector): string | undefined {
  for (const { key, operator, values = [] } of matchExpressions) {
    if (!operators.includes(operator)) return `the operator "${operator}" does not exist`
    const isList = operator === 'In' || operator === 'NotIn'
    if (isList && values.length === 0) return `"${key}" is compared with no value`
    if (!isList && values.length > 0) return `"${operator}" takes no values`
  }
  return undefined
}

/** A test of labels. What `selectorFault` finds fault with matches nothing. */
export function labelTest(selector: LabelSelector): LabelTest {
  if (selectorFault(selector) !== undefined) return () => false
  const { matchLabels = {}, matchExpressions = [] } = selector
  const tests: LabelTest[] = Object.entries(matchLabels).map(
    ([key, value]) =>
      (labels) =>
        labels[key] === value,
  )
  for (const { key, operator, values = [] } of matchExpressions) {
    if (operator === 'In')
      tests.push((labels) => labels[key] !== undefined && values.includes(labels[key] ?? ''))
    // As Kubernetes has it, labels without the key are not in the list either.
    if (operator === 'NotIn')
      tests.push((labels) => labels[key] === undefined || !values.includes(labels[key] ?? ''))
    if (operator === 'Exists') tests.push((labels) => labels[key] !== undefined)
    if (operator === 'DoesNotExist') tests.push((labels) => labels[key] === undefined)
  }
  return (labels) => tests.every((test) => test(labels))
}

export function isEmptySelector({ matchLabels, matchExpressions }: LabelSelector): boolean {
  return Object.keys(matchLabels ?? {}).length === 0 && (matchExpressions ?? []).length === 0
}

/** A selector in the notation of kubectl: `app=web,tier in (a,b),!old`; `everything` where it is empty. */
export function selectorText(selector: LabelSelector): string {
  const parts = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`)
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    if (operator === 'Exists') parts.push(key)
    else if (operator === 'DoesNotExist') parts.push(`!${key}`)
    else parts.push(`${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`)
  }
  return parts.length === 0 ? 'everything' : parts.join(',')
}
