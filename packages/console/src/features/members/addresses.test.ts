import { expect, test } from 'vitest'
import { invalidAddresses, parseAddresses } from './addresses.ts'

test('addresses are read as people paste them, each once', () => {
  const text = 'ada@example.com, Grace Hopper <Grace@example.com>;\n noor@example.com\tADA@example.com'
  expect(parseAddresses(text)).toEqual(['ada@example.com', 'grace@example.com', 'noor@example.com'])
  expect(parseAddresses('  \n')).toEqual([])
})

test('what is no address is named', () => {
  expect(invalidAddresses(parseAddresses('ada@example.com grace.example.com'))).toEqual(['grace.example.com'])
})
