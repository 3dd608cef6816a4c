import { isDeepStrictEqual } from 'node:util'

type Sample = { name: string; labels: Record<string, string>; value: number }
export type Family = { name: string; type: string; help: string; samples: Sample[] }

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const helpLine = new RegExp(`^# HELP (${name}) (.+)$`)
const typeLine = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram|summary)$`)
const sampleLine = new RegExp(`^(${name})(?:\\{(.*)\\})? (\\S+)$`)
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y
const number = /^[+-]?(\d+(\.\d*)?([eE][+-]?\d+)?|Inf|NaN)$/i

/**
 * Families of the text format of Prometheus, version 0.0.4, read more strictly than Prometheus does: throws at a family
 * without HELP or TYPE, one that stands twice, a sample of another family, a sample that stands twice, a value that is no
 * number, and a histogram whose buckets do not add up.
 */
export function parseExposition(text: string): Family[] {
  if (!text.endsWith('\n')) throw new Error('The last line has no end')
  const families: Family[] = []
  let help: { name: string; help: string } | undefined
  for (const line of text.split('\n')) {
    if (line === '') continue
    const helped = helpLine.exec(line)
    const typed = typeLine.exec(line)
    if (helped) help = { name: helped[1] ?? '', help: helped[2] ?? '' }
    else if (typed) {
      const { name: own, help: sentence } = help ?? { name: '', help: '' }
      if (own !== typed[1]) throw new Error(`No HELP before: ${line}`)
      if (families.some((family) => family.name === own)) throw new Error(`Twice: ${line}`)
      families.push({ name: own, help: sentence, type: typed[2] ?? '', samples: [] })
    } else addSample(families.at(-1), line)
  }
  for (const family of families) if (family.type === 'histogram') checkHistogram(family)
  return families
}

/** What a sample of the family may be called. */
export function sampleNames({ name: own, type }: Family): string[] {
  return type === 'histogram' ? [`${own}_bucket`, `${own}_count`, `${own}_sum`] : [own]
}

function addSample(family: Family | undefined, line: string): void {
  const [, sampleName = '', labelText, value = ''] = sampleLine.exec(line) ?? []
  if (family === undefined || !sampleNames(family).includes(sampleName))
    throw new Error(`Of no family, or not below it: ${line}`)
  if (!number.test(value)) throw new Error(`No number: ${line}`)
  const labels = readLabels(labelText ?? '', line)
  const isTwice = family.samples.some(
    (each) => each.name === sampleName && isDeepStrictEqual(each.labels, labels),
  )
  if (isTwice) throw new Error(`Twice: ${line}`)
  family.samples.push({ name: sampleName, labels, value: Number(value.replace('+Inf', 'Infinity')) })
}

function readLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {}
  label.lastIndex = 0
  while (label.lastIndex < text.length) {
    const match = label.exec(text)
    if (match === null || Object.hasOwn(labels, match[1] ?? '')) throw new Error(`Wrong labels: ${line}`)
    labels[match[1] ?? ''] = match[2] ?? ''
  }
  return labels
}

/** The buckets of each series grow, end with +Inf, and there hold as many as are counted. */
function checkHistogram({ name: own, samples }: Family): void {
  for (const counted of samples.filter((sample) => sample.name === `${own}_count`)) {
    const buckets = samples.filter(
      (sample) =>
        sample.name === `${own}_bucket` &&
        Object.entries(counted.labels).every(([key, value]) => sample.labels[key] === value),
    )
    const grows = buckets.every(({ value }, index) => value >= (buckets[index - 1]?.value ?? 0))
    const last = buckets.at(-1)
    if (!grows || last?.labels['le'] !== '+Inf' || last.value !== counted.value)
      throw new Error(`The buckets of ${own} do not add up`)
  }
}
