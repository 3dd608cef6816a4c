import type { ChangeEntry } from '@bey/contract'
import { expect, test } from 'vitest'
import { changeHref, durationText, lastChange } from './change-before.ts'

const entry = (kind: ChangeEntry['kind'], title: string): ChangeEntry => ({
  key: title,
  at: '2026-01-01T12:00:00.000Z',
  kind,
  title,
  detail: null,
  isTrouble: false,
  count: 1,
  object: null,
  versionId: null,
  run: null,
  by: null,
})

test('warnings, objects found at the first look and refused requests are no changes', () => {
  const updated = entry('object', 'Deployment shop updated')
  const refused = { ...entry('action', 'Namespace shop not created'), detail: 'refused by the cluster' }
  const changes = [refused, entry('event', 'BackOff'), entry('object', 'Secret tls found'), updated]
  expect(lastChange([...changes, entry('action', 'apply deployment shop')])).toBe(updated)
  expect(lastChange(changes.slice(0, 3))).toBeUndefined()
})

test.each([
  [-5, '0\u00a0s'],
  [40_400, '40\u00a0s'],
  [119_000, '119\u00a0s'],
  [185_000, '3\u00a0min'],
])('%d ms are %s', (ms, text) => expect(durationText(ms)).toBe(text))

test('a change leads to its run, to the version of its object, or nowhere', () => {
  const object = { resource: 'deployments.apps', kind: 'Deployment', namespace: 'shop', name: 'web' }
  const none = { object: null, versionId: null, run: null }
  expect(changeHref(2, { ...none, run: { workflowId: 'w', runId: 'r' } })).toBe('/workflows/w/runs/r')
  expect(changeHref(2, { ...none, object, versionId: 'v' })).toBe(
    '/kubernetes/clusters/2/objects/deployments.apps/shop/web?tab=history&q=v',
  )
  expect(changeHref(2, none)).toBeUndefined()
})
