import type { ReadRange } from '../read.ts'
import type { Matcher } from './ast.ts'
import { compileMatcher } from './matchers.ts'
import type { SeriesReader, StoredSeries } from './reader.ts'

/** Fewer selections of one metric are each made by themselves: the store then leaves out what none of them wants. */
const leastShared = 4
/** Series of one read that several share. */
const mostSeries = 2_000

type Asked<Question, Answer> = {
  question: Question
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/**
 * A reader for many expressions that are evaluated at the same time: what several of them ask of one metric is selected
 * once, and what they read of one range is read at once. Each is answered as by the reader itself, whose errors reach
 * those alone that they are about.
 */
export function sharedReader<Ref>(reader: SeriesReader<Ref>): SeriesReader<Ref> {
  const select = gather<readonly Matcher[], StoredSeries<Ref>[]>(async (asked, sinceMs) => {
    if (asked.length < leastShared) return each(asked, (matchers) => reader.select(matchers, Number(sinceMs)))
    const common = (asked[0]?.question ?? []).filter((one) =>
      asked.every(({ question }) => question.some((other) => isSameEquality(one, other))),
    )
    const all = await reader.select(common, Number(sinceMs))
    for (const { question, resolve } of asked) {
      const tests = question.map((matcher) => ({ label: matcher.label, fits: compileMatcher(matcher) }))
      resolve(all.filter(({ labels }) => tests.every(({ label, fits }) => fits(labels[label] ?? ''))))
    }
  })
  const read = gather<readonly StoredSeries<Ref>[], (number | null)[][]>(async (asked, key) => {
    const [fromMs = 0, toMs = 0, stepMs = 1] = key.split(' ').map(Number)
    const range: ReadRange = { fromMs, toMs, stepMs }
    for (const together of chunks(asked)) {
      if (together.length === 1) await each(together, (series) => reader.read(series, range))
      else await readTogether(reader, together, range)
    }
  })
  return {
    select(matchers, sinceMs) {
      const metric = matchers.find(({ label, operator }) => label === '__name__' && operator === '=')?.value
      return metric === undefined
        ? reader.select(matchers, sinceMs)
        : select.ask(metric, String(sinceMs), matchers)
    },
    read: (series, { fromMs, toMs, stepMs }) =>
      series.length === 0 ? Promise.resolve([]) : read.ask('', `${fromMs} ${toMs} ${stepMs}`, series),
    finestStepMs: (atMs) => reader.finestStepMs(atMs),
  }
}

/** Collects what is asked in one turn of the event loop under one key, and answers it together. */
function gather<Question, Answer>(
  answer: (asked: readonly Asked<Question, Answer>[], key: string) => Promise<void>,
) {
  const waiting = new Map<string, Asked<Question, Answer>[]>()
  return {
    ask: (group: string, key: string, question: Question) =>
      new Promise<Answer>((resolve, reject) => {
        const name = `${group}\n${key}`
        const asked = waiting.get(name)
        if (asked) {
          asked.push({ question, resolve, reject })
          return
        }
        const all = [{ question, resolve, reject }]
        waiting.set(name, all)
        setImmediate(() => {
          waiting.delete(name)
          answer(all, key).catch((error: unknown) => {
            for (const each of all) each.reject(error)
          })
        })
      }),
  }
}

/** Answers each by itself. */
async function each<Question, Answer>(
  asked: readonly Asked<Question, Answer>[],
  answer: (question: Question) => Promise<Answer>,
): Promise<void> {
  await Promise.all(asked.map(({ question, resolve, reject }) => answer(question).then(resolve, reject)))
}

async function readTogether<Ref>(
  reader: SeriesReader<Ref>,
  asked: readonly Asked<readonly StoredSeries<Ref>[], (number | null)[][]>[],
  range: ReadRange,
): Promise<void> {
  let values: (number | null)[][]
  try {
    values = await reader.read(
      asked.flatMap(({ question }) => question),
      range,
    )
  } catch {
    // One that reads too much must not fail the others.
    await each(asked, (series) => reader.read(series, range))
    return
  }
  let place = 0
  for (const { question, resolve } of asked) {
    resolve(values.slice(place, place + question.length))
    place += question.length
  }
}

/** Parts with a bounded number of series each, in order. */
function chunks<Ref, Answer>(asked: readonly Asked<readonly StoredSeries<Ref>[], Answer>[]) {
  const parts: Asked<readonly StoredSeries<Ref>[], Answer>[][] = []
  let count = 0
  for (const one of asked) {
    const part = parts.at(-1)
    if (part && count + one.question.length <= mostSeries) part.push(one)
    else {
      parts.push([one])
      count = 0
    }
    count += one.question.length
  }
  return parts
}

const isSameEquality = (one: Matcher, other: Matcher) =>
  one.operator === '=' && other.operator === '=' && one.label === other.label && one.value === other.value
