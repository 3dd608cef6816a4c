import { expect, test } from 'vitest'
import { celValue, CelError, compile } from './cel/cel.ts'
import { compilePattern, PatternError } from './re2.ts'
import { checkValue } from './schema/custom.ts'

// An engine that backtracks takes longer than the universe is old for these.
const evil = '^(a+)+$'
const text = `${'a'.repeat(100_000)}!`

test('a schema’s pattern takes time by the length of the text only', () => {
  const causes = checkValue({ type: 'string', pattern: evil }, text, 'spec.a')
  expect(causes).toMatchObject([{ field: 'spec.a' }])
  expect(checkValue({ type: 'string', pattern: evil }, 'aaa', 'spec.a')).toEqual([])
})

test.each([
  [`text.matches('${evil}')`, false],
  [`[text].exists(one, one.matches('${evil}'))`, false],
  [`text.matches('${evil}') || text.matches('a!$')`, true],
  [`text.find('${evil}') == ''`, true],
  [`text.findAll('${evil}').size() == 0`, true],
  ["'a1b22'.findAll('[0-9]+') == ['1', '22'] && 'a1b22'.find('[0-9]+') == '1'", true],
  ["'aXb'.matches('(?i)ax') && !'b'.matches('^a')", true],
])('the expression %s takes time by the length of the text only', (expression, result) => {
  expect(compile(expression)({ text: celValue(text) })).toBe(result)
})

test('a pattern that RE2 does not have is an error that names what is wrong', () => {
  expect(() => compilePattern('(?=a)')).toThrow(PatternError)
  expect(() => compilePattern('((a{100}){100}){100}')).toThrow('invalid repeat count')
  expect(() => compile("'a'.matches('(')")({})).toThrow(CelError)
})
