import { expect, test } from 'vitest'
import { shortNames, textWidth } from './short-names.ts'

test('what all names begin with is left out, up to a separator', () => {
  expect(shortNames(['prod-eu', 'prod-us'])).toEqual(['eu', 'us'])
  expect(shortNames(['shop/cart', 'shop/catalog'])).toEqual(['cart', 'catalog'])
  expect(shortNames(['cart', 'catalog'])).toEqual(['cart', 'catalog'])
  expect(shortNames(['prod-eu', 'prod-us', 'staging'])).toEqual(['prod-eu', 'prod-us', 'staging'])
})

test('a word that begins the next word is said once', () => {
  expect(shortNames(['eu eu-node-1', 'us us-node-2'])).toEqual(['eu-node-1', 'us-node-2'])
})

test('names are never made equal or empty, and one name stays whole', () => {
  expect(shortNames(['prod-eu'])).toEqual(['prod-eu'])
  expect(shortNames(['shop/', 'shop/cart'])).toEqual(['shop/', 'shop/cart'])
  expect(shortNames(['eu eu-1', 'eu-1'])).toEqual(['eu eu-1', 'eu-1'])
})

test('room for names follows the longest, between bounds', () => {
  expect(textWidth(['ab', 'a'.repeat(20)], { least: 40, most: 200 })).toBe(124)
  expect(textWidth(['ab'], { least: 40, most: 200 })).toBe(40)
  expect(textWidth(['a'.repeat(90)], { least: 40, most: 200 })).toBe(200)
})
