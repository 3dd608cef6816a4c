import type { CatalogMetric } from '@bey/contract'
import { promqlAggregations, promqlFunctions } from '@bey/contract'

/** What can stand at the caret of an expression. */
export interface PromqlPlace {
  kind: 'start' | 'label' | 'value'
  /** Where the word begins that is being typed. */
  from: number
  /** What of it is there. */
  typed: string
  /** The metric whose labels are meant; undefined where it is not known. */
  metric?: string | undefined
  /** The label whose value is typed. */
  label?: string
}

export interface Completion {
  text: string
  about: string
  /** How far the caret goes back from the end of the text. */
  back?: number
}

const word = /[a-zA-Z_:][\w:]*$/
const quoted = /([a-zA-Z_]\w*)\s*(?:=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)$/

/** The place before a caret; undefined inside of numbers, windows and texts that name no label. */
export function placeOf(before: string): PromqlPlace | undefined {
  // Brackets and commas within quotes are none.
  const plain = before.replaceAll(
    /"((?:[^"\\]|\\.)*)("?)/g,
    (_, inner: string, end: string) => `"${'_'.repeat(inner.length)}${end}`,
  )
  const open = plain.lastIndexOf('{')
  if (open > plain.lastIndexOf('}')) {
    const metric = word.exec(plain.slice(0, open).trimEnd())?.[0]
    const value = quoted.exec(before.slice(open + 1))
    if (value && isInQuotes(plain)) {
      const typed = value[2] ?? ''
      return { kind: 'value', from: before.length - typed.length, typed, metric, label: value[1] ?? '' }
    }
    const label = /(?:^|,)\s*([a-zA-Z_]\w*)?$/.exec(plain.slice(open + 1))
    if (!label) return undefined
    const typed = label[1] ?? ''
    return { kind: 'label', from: before.length - typed.length, typed, metric }
  }
  const grouped = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^()]*)$/.exec(plain)
  if (grouped) {
    const typed = /([a-zA-Z_]\w*)?$/.exec(grouped[1] ?? '')?.[0] ?? ''
    return { kind: 'label', from: before.length - typed.length, typed }
  }
  if (plain.lastIndexOf('[') > plain.lastIndexOf(']') || isInQuotes(plain)) return undefined
  const typed = word.exec(plain)?.[0]
  return typed === undefined ? undefined : { kind: 'start', from: before.length - typed.length, typed }
}

const isInQuotes = (plain: string) => (plain.match(/"/g)?.length ?? 0) % 2 === 1

/** What completes a place, those that begin with what is typed first. Values of labels are asked of the server. */
export function completionsOf(
  { kind, typed, metric }: PromqlPlace,
  metrics: readonly KnownMetric[],
  values: readonly string[],
): Completion[] {
  const all =
    kind === 'start'
      ? [...metrics.map(({ name, meaning }) => ({ text: name, about: meaning ?? '' })), ...calls]
      : kind === 'label'
        ? labelsOf(metrics, metric).map((text) => ({ text, about: '' }))
        : values.map((text) => ({ text, about: '' }))
  const wanted = typed.toLowerCase()
  const found = all.filter(({ text }) => text.toLowerCase().includes(wanted) && text !== typed)
  return found.toSorted((a, b) => rank(a.text, wanted) - rank(b.text, wanted)).slice(0, mostShown)
}

type KnownMetric = Pick<CatalogMetric, 'name' | 'meaning' | 'labels'>

const mostShown = 12

const calls: readonly Completion[] = Object.entries({ ...promqlAggregations, ...promqlFunctions }).map(
  ([name, about]) => ({ text: `${name}()`, about, back: 1 }),
)

const rank = (text: string, wanted: string) => (text.toLowerCase().startsWith(wanted) ? 0 : 1)

function labelsOf(metrics: readonly KnownMetric[], metric: string | undefined): string[] {
  const known = metrics.filter(({ name }) => metric === undefined || name === metric)
  return [...new Set(known.flatMap(({ labels }) => labels))].toSorted()
}

/** The expression whose series name the values of a label. */
export const valuesExpression = (metric: string, label: string) => `count by (${label}) (${metric})`

/** A value as it stands between the quotes of a matcher. */
export const quotedValue = (value: string) => JSON.stringify(value).slice(1, -1)
