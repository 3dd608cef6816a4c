import { expect, test } from 'vitest'
import { parseResourceQuery, queryValue, resourceQueryLimits } from './query.ts'

const place = { start: expect.any(Number) as number, end: expect.any(Number) as number }
const is = { ...place, isNegated: false }
const not = { ...place, isNegated: true }

test.each([
  ['', []],
  ['   ', []],
  ['web', [{ ...is, key: 'text', values: ['web'] }]],
  [
    'Web -old',
    [
      { ...is, key: 'text', values: ['web'] },
      { ...not, key: 'text', values: ['old'] },
    ],
  ],
  ['"a b:c"', [{ ...is, key: 'text', values: ['a b:c'] }]],
  ['kind:pod,node', [{ ...is, key: 'kind', values: ['pod', 'node'] }]],
  ['kind:pods', [{ ...is, key: 'kind', values: ['pod'] }]],
  ['KIND:Pod', [{ ...is, key: 'kind', values: ['pod'] }]],
  ['health:failing,none', [{ ...is, key: 'health', values: ['failing', 'none'] }]],
  ['-is:untagged', [{ ...not, key: 'is', values: ['untagged'] }]],
  ['label:team=shop', [{ ...is, key: 'label', values: [{ name: 'team', value: 'shop' }] }]],
  ['tag:blue', [{ ...is, key: 'label', values: [{ name: 'blue', value: undefined }] }]],
  ['owner:"Ada Lovelace",me', [{ ...is, key: 'owner', values: ['ada lovelace', 'me'] }]],
  ['name:web*', [{ ...is, key: 'name', values: ['web*'] }]],
  ['created:<7d', [{ ...is, key: 'created', values: [{ isYounger: true, thanMs: 604_800_000 }] }]],
  ['created:>30m', [{ ...is, key: 'created', values: [{ isYounger: false, thanMs: 1_800_000 }] }]],
  ['-', [{ ...is, key: 'text', values: ['-'] }]],
])('%j is read', (text, terms) => {
  expect(parseResourceQuery(text)).toEqual({ terms })
})

test.each([
  ['kind:podd', 0, 9, 'There is no kind "podd". Did you mean pod?'],
  ['web  healt:failing', 5, 18, 'There is no key "healt". Did you mean health:?'],
  ['kind:', 0, 5, 'Write a value after kind: – pod, deployment, secret ….'],
  ['is:orphan', 0, 9, 'There is no state "orphan". Did you mean orphaned?'],
  ['a "b', 2, 4, 'A quotation mark is not closed. Add a second one.'],
  ['""', 0, 2, 'Write a part of a name between the quotation marks.'],
])('%j says which word is wrong and what is meant', (text, start, end, message) => {
  expect(parseResourceQuery(text)).toEqual({ problem: { message, start, end } })
})

test('an age that cannot be read is explained', () => {
  for (const text of ['created:7d', 'created:<7y', 'created:<d', 'created:<1234567d']) {
    expect(parseResourceQuery(text), text).toMatchObject({
      problem: { message: expect.stringMatching(/is no age\. Write created/) as string },
    })
  }
})

test('a query that is too long or has too many words is refused', () => {
  expect(parseResourceQuery('a'.repeat(resourceQueryLimits.length + 1))).toMatchObject({
    problem: { message: 'A query has at most 500 characters; this one has 501.' },
  })
  const many = Array.from({ length: resourceQueryLimits.terms + 1 }, () => 'a').join(' ')
  expect(parseResourceQuery(many)).toMatchObject({
    problem: { start: 60, message: expect.stringMatching(/at most 30 words/) as string },
  })
  const values = Array.from({ length: resourceQueryLimits.values + 1 }, () => 'a').join(',')
  expect(parseResourceQuery(`name:${values}`)).toMatchObject({
    problem: { message: expect.stringMatching(/at most 30 values/) as string },
  })
})

test('a value is quoted where it would be read as something else', () => {
  for (const value of ['web', 'a b', 'a:b', '-a', 'a,b']) {
    expect(parseResourceQuery(`name:${queryValue(value)}`), value).toMatchObject({
      terms: [{ values: [value], isNegated: false }],
    })
  }
})
