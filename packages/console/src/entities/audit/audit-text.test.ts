import { expect, test } from 'vitest'
import { targetPlaceText, targetText } from './audit-text.ts'

const target = { type: 'cluster', id: '1', name: 'prod' }

test('what was acted on is named whole by itself, and by its place beside an act that names it', () => {
  const restart = { action: 'kubernetes.restart', target, object: 'deployments/shop/web' }
  expect([targetText(restart), targetPlaceText(restart)]).toEqual([
    'deployment shop/web in prod',
    'shop in prod',
  ])
  expect(targetPlaceText({ ...restart, object: 'nodes//w-1' })).toBe('prod')
  expect(targetPlaceText({ action: 'cluster.scale', target, object: null })).toBe('prod')
  expect(targetPlaceText({ action: 'audit.verify', target: null, object: null })).toBe('—')
})
