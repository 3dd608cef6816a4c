import { expect, test } from 'vitest'
import { parseRequirements } from './label-expression.ts'

test.each([
  ['a', [['a', 'exists', []]]],
  ['!a', [['a', '!', []]]],
  [
    'example.com/a=b,c != d , e==',
    [
      ['example.com/a', '=', ['b']],
      ['c', '!=', ['d']],
      ['e', '==', ['']],
    ],
  ],
  [
    'a in (x, y),b notin (z)',
    [
      ['a', 'in', ['x', 'y']],
      ['b', 'notin', ['z']],
    ],
  ],
  [
    'a in (),b in (,x)',
    [
      ['a', 'in', ['']],
      ['b', 'in', ['', 'x']],
    ],
  ],
  [
    'a>1,b<2',
    [
      ['a', '>', ['1']],
      ['b', '<', ['2']],
    ],
  ],
  ['in=notin', [['in', '=', ['notin']]]],
])('%s is understood', (text, terms) => {
  const found = parseRequirements(text).map(({ key, operator, values }) => [key, operator, values])
  expect(found).toEqual(terms)
})

const unparsed = 'unable to parse requirement: '

test.each([
  ['a in', `${unparsed}found '' expected: '('`],
  ['a in (', `${unparsed}found '', expected: ',', ')' or identifier`],
  ['a in (b', `${unparsed}found '', expected: ',' or ')'`],
  ['a in (b,', `${unparsed}found '', expected: ',', or identifier`],
  ['a b', `${unparsed}found 'b', expected: in, notin, =, ==, !=, gt, lt`],
  ['!', `${unparsed}found '', expected: identifier`],
  ['a=(', `${unparsed}found '(', expected: identifier`],
  ['=a', "found '=', expected: !, identifier, or 'end of string'"],
  ['a,', "found '', expected: identifier after ','"],
  ['a=b c', "found 'c', expected: ',' or 'end of string'"],
  ['a>x', `${unparsed}values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`],
])('%s is refused', (text, message) => {
  expect(() => parseRequirements(text)).toThrow(expect.objectContaining({ message, code: 400 }))
})

test('keys and values that no label has are refused as such', () => {
  expect(() => parseRequirements('a=-b')).toThrow(
    /^unable to parse requirement: values\[0\]\[a\]: Invalid value: "-b": a valid label must be/,
  )
  expect(() => parseRequirements('-a')).toThrow(
    /^unable to parse requirement: <nil>: Invalid value: "-a": name part must consist/,
  )
})
