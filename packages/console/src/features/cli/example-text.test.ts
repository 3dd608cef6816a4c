import { expect, test } from 'vitest'
import { shellWord, tableText } from './example-text.ts'

test('a name of any kind is one word of the shell', () => {
  expect(shellWord('orders-db-password')).toBe('orders-db-password')
  expect(shellWord('shop/db')).toBe('shop/db')
  expect(shellWord('my name; rm -rf ~')).toBe("'my name; rm -rf ~'")
  expect(shellWord("it's $HOME")).toBe("'it'\\''s $HOME'")
  expect(shellWord('--yes')).toBe("'--yes'")
})

test('rows stand in columns, and an empty list says so', () => {
  const rows = [
    ['1', 'prod'],
    ['22', 'test'],
  ]
  expect(tableText(['ID', 'NAME'], rows)).toBe('ID  NAME\n1   prod\n22  test')
  expect(tableText(['ID'], [])).toBe('Nothing to list.')
})
