import { expect, test } from 'vitest'
import type { MeterPrice } from '../../data/billing.ts'
import { changedCount, draftOf, placeText, priceFor, pricesOf } from './price-draft.ts'

const price = (meter: MeterPrice['meter'], text: string, more: Partial<MeterPrice> = {}): MeterPrice => ({
  meter,
  provider: null,
  region: null,
  nodeType: null,
  per: 1,
  tiers: [{ upTo: null, price: text }],
  ...more,
})
const tiered = price('api_calls', '1', {
  tiers: [
    { upTo: '10', price: '0' },
    { upTo: null, price: '1' },
  ],
})

test('an edited price is sent as it was typed, tiers stay as they were', () => {
  const draft = draftOf([price('runs', '0.02'), tiered])
  const edited = draft.map((each) => (each.price.meter === 'runs' ? { ...each, text: '0.03' } : each))
  expect(pricesOf(edited)).toEqual([price('runs', '0.03'), tiered])
})

test('what is no number is not sent', () => {
  const [draft] = draftOf([price('runs', '0.02')])
  if (draft === undefined) throw new Error('There is a draft of one price')
  for (const text of ['', '-1', '1,5', 'x']) expect(pricesOf([{ ...draft, text }]), text).toBeUndefined()
})

test('a price is changed where its number is another, not where it is written otherwise', () => {
  const current = [price('runs', '0.02'), tiered]
  const [runs, api] = draftOf(current)
  if (runs === undefined || api === undefined) throw new Error('There are two drafts')
  expect(changedCount([{ ...runs, text: '0.0200' }, api], current)).toBe(0)
  expect(changedCount([{ ...runs, text: '0.03' }, api], current)).toBe(1)
  expect(changedCount([runs, api, { price: price('runs', '1', { region: 'eu' }), text: '1' }], current)).toBe(
    1,
  )
})

test('a kind of node is named by its cores and memory', () => {
  expect(placeText({ provider: 'sandbox', region: null, nodeType: '16x64' })).toBe(
    '16 cores 64 GiB of sandbox',
  )
  expect(placeText({ provider: null, region: 'eu', nodeType: null })).toBe('in eu')
})

test('usage takes the price that names most of it', () => {
  const draft = draftOf([
    price('node_hours', '1'),
    price('node_hours', '2', { region: 'eu', provider: 'x' }),
    price('node_hours', '3', { nodeType: '4x16' }),
  ])
  const priceOf = (nodeType: string, region: string, provider = 'x') =>
    priceFor(draft, { meter: 'node_hours', provider, region, nodeType })?.text
  expect([
    priceOf('4x16', 'eu'),
    priceOf('8x32', 'eu'),
    priceOf('8x32', 'us'),
    priceOf('8x32', 'eu', 'y'),
  ]).toEqual(['3', '2', '1', '1'])
  expect(priceFor(draft, { meter: 'runs', provider: null, region: null, nodeType: null })).toBeUndefined()
})
