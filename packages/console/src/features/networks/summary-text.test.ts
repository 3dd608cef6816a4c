import { expect, test } from 'vitest'

import { summaryText } from './summary-text.ts'

test.each([
  [{ total: 0, attention: 0, underWay: 0, first: null }, 'No network yet'],
  [{ total: 1, attention: 0, underWay: 0, first: null }, '1 network, each as defined'],
  [{ total: 3, attention: 0, underWay: 1, first: null }, '3 networks, 2 as defined, one is being changed'],
  [{ total: 1, attention: 0, underWay: 1, first: null }, '1 network, one is being changed'],
  [{ total: 1, attention: 1, underWay: 0, first: { name: 'prod', reason: 'Drift.' } }, 'prod: Drift.'],
  [
    { total: 4, attention: 1, underWay: 1, first: { name: 'prod', reason: null } },
    'prod: needs attention. Of the others 2 are as defined, one is being changed.',
  ],
  [
    { total: 40, attention: 30, underWay: 0, first: { name: 'prod', reason: 'Drift.' } },
    'prod: Drift. 29 more networks need attention. Of the others 10 are as defined.',
  ],
])('%o says %s', (summary, text) => {
  expect(summaryText(summary)).toBe(text)
})
