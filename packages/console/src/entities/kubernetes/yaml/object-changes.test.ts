import { parseDocument } from 'yaml'
import { expect, test } from 'vitest'
import { consequencesOf } from './change-consequences.ts'
import { lastWriter, ownersOf } from './field-owners.ts'
import { changesBetween, changeText, mergePatch, shortLabel } from './object-changes.ts'
import { hiddenValue, objectText } from './object-text.ts'
import { parseFieldPath, positionOfPath } from './position-of-path.ts'
import type { Free } from './text-problem.ts'

const web = (change: { replicas?: number; image?: string; env?: object[]; strategy?: object } = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', resourceVersion: '7', managedFields: [], labels: { app: 'web' } },
  spec: {
    replicas: change.replicas ?? 2,
    strategy: change.strategy ?? { type: 'RollingUpdate' },
    template: {
      spec: {
        containers: [
          { name: 'web', image: change.image ?? 'nginx:1', ...(change.env && { env: change.env }) },
        ],
      },
    },
  },
  status: { replicas: 2 },
})

test('a change of replicas is said with both figures, and restarts nothing', () => {
  const [live, after] = [web(), web({ replicas: 4 })]
  expect(consequencesOf(live, after, changesBetween(live, after))).toEqual({
    summary: 'Deployment web: replicas 2 → 4',
    effects: ['2 pods are added.'],
    action: 'Apply, scale to 4',
  })
})

test('a change of the template restarts its pods, all at once where the strategy says so', () => {
  const [live, after] = [web(), web({ image: 'nginx:2' })]
  const said = consequencesOf(live, after, changesBetween(live, after))
  expect(said.summary).toBe('Deployment web: web.image nginx:1 → nginx:2')
  expect(said.effects).toEqual(['Its 2 pods are restarted: replaced a few at a time.'])
  expect(said.action).toBe('Apply, replace 2 pods')
  const recreated = web({ image: 'nginx:2', strategy: { type: 'Recreate' } })
  expect(consequencesOf(live, recreated, changesBetween(live, recreated)).effects[0]).toContain(
    'nothing serves',
  )
})

test('the patch holds only what differs: null for what is gone, no status, no bookkeeping', () => {
  const live = web({ replicas: 3 })
  const mine = { ...web({ replicas: 3 }), metadata: { name: 'web' }, status: { replicas: 9 } }
  expect(mergePatch(live, mine)).toEqual({ metadata: { labels: null } })
  expect(mergePatch(live, web({ replicas: 5 }))).toEqual({ spec: { replicas: 5 } })
  expect(mergePatch(live, web({ replicas: 3 }))).toBeUndefined()
})

test('hidden values of a Secret are never sent, changed and removed ones are', () => {
  const secret: Free = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
    data: { kept: null, changed: null, gone: null },
  }
  expect(objectText(secret)).toContain(`kept: ${hiddenValue}`)
  const shown = { ...secret, data: { kept: hiddenValue, changed: hiddenValue, gone: hiddenValue } }
  const mine = { ...secret, data: { kept: hiddenValue, changed: 'bmV3' } }
  expect(mergePatch(shown, mine)).toEqual({ data: { changed: 'bmV3', gone: null } })
  expect(mergePatch(secret, mine)).toEqual({ data: { changed: 'bmV3', gone: null } })
})

test('items of lists are compared by their names, not by their places', () => {
  const before = web({
    env: [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ],
  })
  const after = web({
    env: [
      { name: 'B', value: '3' },
      { name: 'A', value: '1' },
    ],
  })
  const changes = changesBetween(before, after)
  expect(changes.map((change) => `${shortLabel(change.label)} ${changeText(change)}`)).toEqual([
    'B.value 2 → 3',
  ])
})

test('the desired fields are without status and bookkeeping; all fields have the status last', () => {
  expect(objectText(web())).not.toMatch(/managedFields|resourceVersion|status:/)
  const whole = objectText(web(), true)
  expect(whole).toContain('resourceVersion')
  expect(whole.indexOf('status:')).toBeGreaterThan(whole.indexOf('spec:'))
})

const managed: Free = {
  ...web({ env: [{ name: 'A', value: '1' }] }),
  metadata: {
    name: 'web',
    managedFields: [
      {
        manager: 'ci-deployer',
        operation: 'Apply',
        time: '2026-11-22T14:27:00Z',
        fieldsV1: {
          'f:spec': {
            'f:template': {
              'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:image': {}, 'f:name': {} } } },
            },
          },
        },
      },
      {
        manager: 'kubectl-edit',
        operation: 'Update',
        time: '2026-11-22T14:29:00Z',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      },
      {
        manager: 'kube-controller-manager',
        operation: 'Update',
        subresource: 'status',
        time: '2026-11-22T15:00:00Z',
        fieldsV1: { 'f:status': {} },
      },
    ],
  },
}

test('a field says who owns it and since when, also inside lists', () => {
  expect(ownersOf(managed, ['spec', 'replicas'])).toEqual([
    { manager: 'kubectl-edit', operation: 'Update', at: '2026-11-22T14:29:00Z' },
  ])
  const image = ['spec', 'template', 'spec', 'containers', 0, 'image']
  expect(ownersOf(managed, image).map(({ manager }) => manager)).toEqual(['ci-deployer'])
  expect(ownersOf(managed, ['spec', 'paused'])).toEqual([])
  expect(lastWriter(managed)?.manager).toBe('kubectl-edit')
})

test('a field of the server’s error is found in the text', () => {
  const text = 'spec:\n  containers:\n    - name: web\n      image: ""\n      ports:\n        - name: http\n'
  const document = parseDocument(text)
  const place = (field: string) => {
    const { from, to } = positionOfPath(document, parseFieldPath(field, document.toJS()))
    return text.slice(from, to)
  }
  expect(place('spec.containers[0].image')).toBe('image')
  expect(place('.spec.containers[name="web"].ports')).toBe('ports')
  expect(place('spec.containers[0].resources.limits')).toBe('name')
})
