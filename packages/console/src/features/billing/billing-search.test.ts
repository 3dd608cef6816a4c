import { expect, test } from 'vitest'
import { billingHref, drillHref, parseBillingSearch } from './billing-search.ts'

test('an address survives parsing, and what fits nowhere is left out', () => {
  expect(
    parseBillingSearch({
      tab: 'ledger',
      month: '2026-11',
      by: 'label:team',
      namespace: 'shop',
      day: '2026-11-03',
    }),
  ).toEqual({ tab: 'ledger', month: '2026-11', by: 'label:team', namespace: 'shop', day: '2026-11-03' })
  expect(
    parseBillingSearch({
      tab: 'x',
      month: '2026-13',
      by: 'price',
      service: 'other',
      number: -1,
      cursor: 'a',
    }),
  ).toEqual({})
  const open = { tab: 'savings', saving: 'over-requested/7/shop/Deployment/web' } as const
  const { searchParams } = new URL(billingHref(open), 'http://localhost')
  expect(parseBillingSearch(Object.fromEntries(searchParams))).toEqual(open)
  expect(parseBillingSearch({ saving: '' })).toEqual({})
  expect(parseBillingSearch({ cluster: 7 })).toEqual({ cluster: '7' })
})

test('a service leads to its parts, and the smallest part to the ledger', () => {
  expect(drillHref({}, 'service', 'kubernetes')).toBe(billingHref({ service: 'kubernetes', by: 'cluster' }))
  expect(drillHref({}, 'service', 'secrets')).toBe(billingHref({ service: 'secrets', by: 'resource' }))
  expect(drillHref({ service: 'kubernetes', month: '2026-10' }, 'workload', 'shop/Deployment/cart')).toBe(
    billingHref({ service: 'kubernetes', workload: 'shop/Deployment/cart', month: '2026-10', tab: 'ledger' }),
  )
})
