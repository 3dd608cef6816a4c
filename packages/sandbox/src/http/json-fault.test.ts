import { expect, test } from 'vitest'
import { jsonFault } from './json-fault.ts'

test.each([
  ['', 'unexpected end of JSON input'],
  ['{"metadata":', 'unexpected end of JSON input'],
  ['{"a":1', 'unexpected end of JSON input'],
  ['"abc', 'unexpected end of JSON input'],
  ['<html>', "invalid character '<' looking for beginning of value"],
  ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['[1 2]', "invalid character '2' after array element"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['trve', "invalid character 'v' in literal true (expecting 'u')"],
  ['nul', 'unexpected end of JSON input'],
  ['-', 'unexpected end of JSON input'],
  ['-x', "invalid character 'x' in numeric literal"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['1ex', "invalid character 'x' in exponent of numeric literal"],
  ['01', "invalid character '1' after top-level value"],
  ['"a\nb"', String.raw`invalid character '\n' in string literal`],
  [String.raw`"\x"`, "invalid character 'x' in string escape code"],
  [String.raw`"\u00g0"`, String.raw`invalid character 'g' in \u hexadecimal character escape`],
  ["{'a':1}", String.raw`invalid character '\'' looking for beginning of object key string`],
])('%j: %s', (text, fault) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError)
  expect(jsonFault(text)).toBe(fault)
})
