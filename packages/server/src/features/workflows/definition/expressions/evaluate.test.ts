import { expect, test } from 'vitest'

import { checkExpression, definitionVariables } from './check-expression.ts'
import { evaluate, evaluateCondition, type Scope } from './evaluate.ts'
import { ExpressionError } from './expression-error.ts'
import { expressionLimits } from './limits.ts'
import { soonMs } from '../../../../testing/soon.ts'

const scope: Scope = {
  inputs: { image: 'web:1', replicas: 3, ratio: 0.5, tags: ['b', 'a', 'b'], constructor: 'c', empty: null },
  steps: { build: { output: { digest: 'sha256:1', size: 10 }, status: 'succeeded' } },
  run: { id: 'r1', attempt: 1 },
}

test.each([
  ['inputs.image', 'web:1'],
  ['inputs.replicas + 1', 4],
  ['inputs.ratio * 2', 1],
  ['inputs.replicas / inputs.ratio', 6],
  ['inputs.replicas > 2 && inputs.image.startsWith("web")', true],
  ['steps.build.output.digest', 'sha256:1'],
  ['steps["build"].status == "succeeded"', true],
  ['inputs.constructor', 'c'],
  ['inputs.empty', null],
  ['inputs.?missing.orValue("none")', 'none'],
  ['has(inputs.missing)', false],
  ['inputs.tags.filter(t, t == "b").size()', 2],
  ['inputs.tags.map(t, {"name": t})', [{ name: 'b' }, { name: 'a' }, { name: 'b' }]],
  ['inputs.tags.distinct().sort()', ['a', 'b']],
  ['[1, 2, 3].sum() + [4, 9].max() - [2, 1].min()', 14],
  ['[[1], [2, 3]].flatten()', [1, 2, 3]],
  ['toJson({"a": [1, null]})', '{"a":[1,null]}'],
  ['parseJson("{\\"a\\": 1}").a', 1],
  ['"a-b-c".replace("-", "+")', 'a+b+c'],
  ['"v1.2.3".matches("^v[0-9]+")', true],
  ['"v1.2.3".find("[0-9]+[.][0-9]+")', '1.2'],
  ['base64Decode(base64Encode("é"))', 'é'],
  ['urlEncode("a b&c")', 'a%20b%26c'],
  ['timestamp("2026-01-02T00:00:00Z") - duration("1h")', '2026-01-01T23:00:00.000Z'],
  ['duration("90s")', '90s'],
  ['cel.bind(x, inputs.replicas, x * x)', 9],
  ['inputs.replicas > 5 ? "many" : "few"', 'few'],
])('%s', (source, value) => {
  expect(evaluate(source, scope)).toEqual(value)
  // A second time, as parsed before.
  expect(evaluate(source, scope)).toEqual(value)
})

test('a key that looks like a prototype is a key like any other', () => {
  const inputs: unknown = JSON.parse('{"__proto__": {"admin": true}, "a": {}}')
  expect(JSON.stringify(evaluate('inputs', { inputs }))).toBe('{"__proto__":{"admin":true},"a":{}}')
  expect(() => evaluate('inputs.a.admin', { inputs })).toThrow('There is no "admin"')
})

test.each([
  ['inputs.missing', 'There is no "missing", in "inputs.missing".'],
  ['inputs.image + 1', 'These kinds of values do not go together: string + int'],
  ['1 / 0', 'Division by zero, in "1 / 0".'],
  ['item.name', '"item" is not known here. It is known only in a step with foreach.'],
  ['secrets.token', 'A secret stands in a template of its own in config: {{ secrets.name }}.'],
  ['foo', '"foo" is not known here.'],
  ['inputs.?missing', 'End it with .orValue(…) or .value().'],
  ['"a".matches("(")', '"(" is not a regular expression'],
  [`"a".matches("${'a'.repeat(1_001)}")`, 'A regular expression may have 1000 characters'],
  ['parseJson("{")', 'a text that is not JSON'],
  ['9223372036854775807', 'too large for JSON'],
  ['[].max()', 'max() was given an empty list'],
  ['nothing(1)', 'nothing'],
  ['1 +', 'Unexpected token'],
  [' ', 'The expression is empty.'],
  ['1'.repeat(4_001), 'An expression may have 4000 characters, and this one has 4001.'],
  [`${'('.repeat(200)}1${')'.repeat(200)}`, 'The expression is nested too deeply.'],
  [`${'1+'.repeat(1_500)}1`, 'The expression is too long'],
])('%s fails with a sentence', (source, message) => {
  expect(() => evaluate(source, scope)).toThrow(message)
  expect(() => evaluate(source, scope)).toThrow(ExpressionError)
})

const many = Array.from({ length: 2_000 }, (_, index) => index)
const doubling = (times: number) => `[[1]]${'.map(a, [a, a])'.repeat(times)}`

test.each([
  ['a macro in a macro in a macro', 'xs.map(a, xs.map(b, xs.map(c, a + b + c).size()).size()).size()'],
  ['a quantifier whose predicate always fails', 'xs.exists(a, xs.exists(b, xs.exists(c, a + "" == "")))'],
  ['a logical operator that passes over errors', 'xs.all(a, xs.all(b, xs.all(c, a < 0 || true)))'],
  ['lists that double', doubling(40)],
  ['lists that double and are compared', `${doubling(40)} == ${doubling(40)}`],
  [
    'texts that double',
    `cel.bind(a, "${'x'.repeat(64)}", ${'cel.bind(a, a + a, '.repeat(24)}a.size()${')'.repeat(25)}`,
  ],
  [
    'lists that are joined to themselves',
    `cel.bind(a, xs, ${'cel.bind(a, a + a, '.repeat(24)}a.size()${')'.repeat(25)}`,
  ],
  ['a text that is searched again and again', 'xs.map(a, xs.exists(b, big.contains("y")))'],
  ['a time zone that is asked for again and again', 'xs.map(a, xs.map(b, t.getHours("Asia/Tokyo")))'],
  ['a replacement that grows', '"aaaaaaaaaaaaaaaaaaaa".replace("a", big).size()'],
  [
    'a pattern that would backtrack for ever',
    `"${'a'.repeat(64)}!".matches("^(a+)+$") ? 1 : xs.map(a, xs.map(b, xs)).size()`,
  ],
])('%s is stopped soon', (_name, source) => {
  const startedAt = performance.now()
  const values = { xs: many, big: 'x'.repeat(1_000_000), t: new Date(0) }
  expect(() => evaluate(source, values)).toThrow(/too (long|large)|takes too/)
  expect(performance.now() - startedAt).toBeLessThan(soonMs)
})

test('a result may not be larger than 1 MB, nor nested too deeply', () => {
  const big = 'x'.repeat(600_000)
  expect(() => evaluate('[big, big]', { big })).toThrow('larger than 1 MB')
  const deep: unknown = JSON.parse(`${'['.repeat(100)}1${']'.repeat(100)}`)
  expect(() => evaluate('deep', { deep })).toThrow(`${expressionLimits.valueDepth} lists and objects`)
})

test('a list of a thousand items is mapped, filtered and looked up in without nearing the limit', () => {
  const items = Array.from({ length: 1_000 }, (_, index) => ({
    name: `pod-${index}`,
    ready: index % 2 === 0,
  }))
  expect(evaluate('items.filter(i, i.ready).map(i, i.name + ":" + items[0].name).size()', { items })).toBe(
    500,
  )
})

test('a condition is true or false', () => {
  expect(evaluateCondition('inputs.replicas == 3', scope)).toBe(true)
  expect(() => evaluateCondition('inputs.replicas', scope)).toThrow(
    'The condition "inputs.replicas" has to be true or false, and is the number 3.',
  )
})

test('an expression is checked without values', () => {
  const messageOf = (source: string) => checkExpression(source, definitionVariables)[0]?.message
  expect(messageOf('steps.a.output.b.exists(x, x == inputs.c)')).toBeUndefined()
  expect(messageOf('item.name')).toContain('foreach')
  expect(messageOf('inputs.a ==')).toMatch(/^Unexpected token/)
  expect(messageOf('inputs.a.nothing("x")')).toContain('nothing')
})
