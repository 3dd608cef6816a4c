import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { testApp } from '../../testing/app.ts'
import { type Family, parseExposition, sampleNames } from './testing/parse-exposition.ts'

const app = await testApp()
const shipped = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8')

let families: Family[] = []
beforeAll(async () => {
  const user = await app.given.user()
  await app.ask('GET', '/api/v1/workflows', { token: user.token, organizationId: user.organizationId })
  const { text, headers } = await app.ask('GET', '/metrics')
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  families = parseExposition(text)
})

test('the parser of the figures refuses what Prometheus should not be given', () => {
  const head = '# HELP a What it is.\n# TYPE a gauge\n'
  expect(parseExposition(`${head}a{b="c"} 1\n`)[0]?.samples).toEqual([
    { name: 'a', labels: { b: 'c' }, value: 1 },
  ])
  for (const wrong of [
    '# TYPE a gauge\na 1\n',
    'a 1\n',
    `${head}a 1`,
    `${head}${head}`,
    `${head}b 1\n`,
    `${head}a x\n`,
    `${head}a 1\na 1\n`,
    `${head}a{b=c} 1\n`,
    '# HELP a h\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_count 1\na_sum 1\n',
  ])
    expect(() => parseExposition(wrong), wrong).toThrow()
})

test('every figure has a sentence and a type, and its name begins with bey_', () => {
  expect(families.length).toBeGreaterThan(30)
  for (const { name, type } of families) {
    expect(name).toMatch(/^bey_[a-z0-9_]+$/)
    if (type === 'counter') expect(name).toMatch(/_total$/)
  }
})

test('docs/operations.md names every figure and no other', () => {
  const table = shipped('docs/operations.md')
  const named = [...table.matchAll(/`(bey_[a-z0-9_]+)`/g)].map(([, name]) => name)
  const names = families.map(({ name }) => name)
  expect(names.filter((name) => !named.includes(name))).toEqual([])
  expect(named.filter((name) => name && !names.includes(name))).toEqual([])
})

test('the alert rules that are shipped can be read, and ask for figures that exist', () => {
  const { groups } = rulesFile.parse(parse(shipped('deploy/observability/rules.yaml')))
  const rules = groups.flatMap((group) => group.rules)
  expect(rules.length).toBeGreaterThan(0)
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { alert, expr } of rules) expect([alert, ...unknownIn(expr)]).toEqual([alert])
})

test('the board that is shipped can be read, and asks for figures that exist', () => {
  const { panels } = boardFile.parse(JSON.parse(shipped('deploy/observability/board.json')))
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  for (const { title, targets } of panels) {
    for (const { expr } of targets)
      expect([title, ...unknownIn(expr.replaceAll('$__rate_interval', '5m'))]).toEqual([title])
  }
})

const rule = z.strictObject({
  alert: z.string().regex(/^Bey\w+$/),
  expr: z.string(),
  for: z
    .string()
    .regex(/^\d+[mhd]$/)
    .optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.strictObject({ summary: z.string(), action: z.string() }),
})
const rulesFile = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(rule) })),
})
const boardFile = z.looseObject({
  title: z.literal('Bey'),
  panels: z
    .array(
      z.looseObject({
        id: z.number(),
        title: z.string(),
        targets: z.array(z.looseObject({ expr: z.string() })).min(1),
      }),
    )
    .min(1),
})

/** What of an expression of PromQL cannot be read, and the figures in it that nobody answers. */
function unknownIn(expr: string): string[] {
  const answered = new Set(families.flatMap(sampleNames))
  const wrong: string[] = []
  let selectors = 0
  parser.parse(expr).iterate({
    enter({ type, from, to, node }) {
      if (type.isError) wrong.push(`cannot be read at ${from}: ${expr}`)
      if (type.name !== 'VectorSelector') return
      selectors += 1
      const identifier = node.getChild('Identifier')
      const name = expr.slice(identifier?.from ?? from, identifier?.to ?? to)
      if (!answered.has(name)) wrong.push(name)
    },
  })
  return selectors > 0 ? wrong : [...wrong, `no figure in: ${expr}`]
}
