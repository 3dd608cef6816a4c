import type { MeasuredEntity, SeriesName } from '../series.ts'

/** Tells the series of one organization from those of another, and from what else is in the store. */
const organizationLabel = 'bey_organization'
/** The names of a series' own labels: without it, a selector of the whole would find its parts as well. */
const signatureLabel = 'bey_labels'
/** More values than this are not listed in a selector, which then finds more than is asked for. */
const maxListed = 200

/** The labels of a series in the store. Names of entities are not among them: they change. */
export function storedLabels(
  organizationId: number,
  { type, id }: MeasuredEntity,
  { metric, labels = {} }: SeriesName,
): Record<string, string> {
  // An empty value is no label.
  const own = Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ''))
  const signature = Object.keys(own).toSorted().join(',')
  return {
    ...own,
    __name__: metric,
    entity: type,
    id,
    [organizationLabel]: String(organizationId),
    ...(signature !== '' && { [signatureLabel]: signature }),
  }
}

export const signatureOf = (labels: Readonly<Record<string, string>>) => labels[signatureLabel] ?? ''

/** A selector that finds series of one metric and one signature, and few others. */
export function selectorOf(all: readonly Readonly<Record<string, string>>[]): string {
  const [first = {}] = all
  const matchers = Object.keys(first).flatMap((name) => {
    if (name === '__name__') return []
    const values = [...new Set(all.map((labels) => labels[name] ?? ''))]
    if (values.length === 1) return [`${name}=${JSON.stringify(values[0])}`]
    if (values.length > maxListed) return []
    return [`${name}=~${JSON.stringify(values.map(escapePattern).join('|'))}`]
  })
  if (signatureOf(first) === '') matchers.push(`${signatureLabel}=""`)
  return `${first['__name__'] ?? ''}{${matchers.join(',')}}`
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
