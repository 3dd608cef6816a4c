import { RE2JS } from 're2js'

import { evaluationError } from './evaluation-error.ts'
import { mergeSeries } from './merge-series.ts'
import type { Series } from './values.ts'

function requireLabel(name: string): void {
  if (/^[a-zA-Z_]\w*$/.test(name)) return
  throw evaluationError(`"${name.slice(0, 40)}" is no name of a label. Use letters, digits and underscores.`)
}

function setLabel({ labels, values }: Series, name: string, value: string): Series {
  const { [name]: _, ...others } = labels
  return { labels: value === '' ? others : { ...others, [name]: value }, values }
}

/** `label_replace(v, target, replacement, source, regex)`: `$1` stands for the first group of the expression. */
export function labelReplace(series: readonly Series[], texts: readonly string[]): Series[] {
  const [target = '', replacement = '', source = '', expression = ''] = texts
  requireLabel(target)
  let pattern: RE2JS
  try {
    pattern = RE2JS.compile(`^(?:${expression})$`, RE2JS.DOTALL)
  } catch {
    throw evaluationError(`"${expression.slice(0, 40)}" is no regular expression that RE2 reads.`)
  }
  const replaced = series.map((each) => {
    const matcher = pattern.matcher(each.labels[source] ?? '')
    if (!matcher.find()) return each
    const value = replacement.replaceAll(
      /\$(?:\$|(\d+)|\{(\w+)\})/g,
      (whole, digits?: string, name?: string) => {
        if (whole === '$$') return '$'
        const group = digits ?? name ?? ''
        if (!/^\d+$/.test(group)) return matcher.group(group) ?? ''
        return Number(group) <= matcher.groupCount() ? (matcher.group(Number(group)) ?? '') : ''
      },
    )
    return setLabel(each, target, value)
  })
  return mergeSeries(replaced, 'label_replace()')
}

/** `label_join(v, target, separator, source …)`. */
export function labelJoin(series: readonly Series[], texts: readonly string[]): Series[] {
  const [target = '', separator = '', ...sources] = texts
  requireLabel(target)
  const joined = series.map((each) =>
    setLabel(each, target, sources.map((source) => each.labels[source] ?? '').join(separator)),
  )
  return mergeSeries(joined, 'label_join()')
}
