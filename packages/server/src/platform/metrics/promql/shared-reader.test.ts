import { expect, test } from 'vitest'

import type { SeriesReader } from './reader.ts'
import { evaluatePromql } from './evaluate.ts'
import { compileMatcher } from './matchers.ts'
import { parsePromql } from './parse.ts'
import { sharedReader } from './shared-reader.ts'

const stored = ['shop', 'pay', 'edge'].flatMap((namespace) =>
  [0, 1, 2, 3].flatMap((pod) =>
    ['cpu', 'memory'].map((name) => ({
      labels: { __name__: name, namespace, pod: `web-${pod}` },
      ref: `${name} ${namespace} ${pod}`,
    })),
  ),
)
const range = { fromMs: 0, toMs: 180_000, stepMs: 60_000 }

/** Counts what it is asked; refuses to read the series of `edge`. */
function counting() {
  const asked = { select: 0, read: 0 }
  const reader: SeriesReader<string> = {
    async select(matchers) {
      asked.select += 1
      const tests = matchers.map((matcher) => ({ label: matcher.label, fits: compileMatcher(matcher) }))
      return stored.filter(({ labels }) =>
        tests.every(({ label, fits }) => fits(new Map(Object.entries(labels)).get(label) ?? '')),
      )
    },
    async read(series) {
      asked.read += 1
      if (series.some(({ ref }) => ref.includes('edge 3'))) throw new Error('too much')
      return series.map(({ ref }) => [ref.length, Number(ref.at(-1)), null])
    },
    finestStepMs: () => 15_000,
  }
  return { asked, reader }
}

const expressions = [
  'cpu{namespace="shop"}',
  'sum by (namespace) (cpu{namespace!="edge"})',
  'cpu{pod=~"web-[01]", namespace="pay"} / memory{pod=~"web-[01]", namespace="pay"}',
  'memory{namespace="shop", pod="web-2"}',
  'max(memory{namespace="pay"}) - min(memory{namespace="pay"})',
  'cpu{namespace="nowhere"}',
  '{namespace="shop", __name__=~"c.."}',
]

test('each expression is answered as by itself, and the store is asked much less', async () => {
  const alone = counting()
  const apart = []
  for (const expr of expressions)
    apart.push(await evaluatePromql(alone.reader, parsePromql(expr), range, 180_000))
  const together = counting()
  const shared = sharedReader(together.reader)
  const answers = await Promise.all(
    expressions.map((expr) => evaluatePromql(shared, parsePromql(expr), range, 180_000)),
  )
  expect(answers).toEqual(apart)
  expect(together.asked.select + together.asked.read).toBeLessThan(
    (alone.asked.select + alone.asked.read) / 2,
  )
})

test('an expression that cannot be read fails alone', async () => {
  const shared = sharedReader(counting().reader)
  const answers = await Promise.allSettled(
    ['cpu{namespace="edge"}', ...expressions].map((expr) =>
      evaluatePromql(shared, parsePromql(expr), range, 180_000),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(['rejected', ...expressions.map(() => 'fulfilled')])
})
