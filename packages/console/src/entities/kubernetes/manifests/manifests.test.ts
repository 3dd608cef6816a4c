import { expect, test } from 'vitest'
import { sampleManifests } from '../samples/sample-manifests.ts'
import { samples } from '../samples/sample-list.ts'
import { parseManifest } from '../yaml/manifest-documents.ts'
import { withLiveValue } from '../../../features/manifests/conflict-answers.ts'
import { inApplyOrder } from './manifest-order.ts'
import { manifestTemplates } from '../../../features/manifests/templates.ts'

const named = (kind: string, apiVersion = 'v1') =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: x\n`

test('namespaces and definitions come first, what acts on others last, equals keep their order', () => {
  const kinds = [
    'Ingress',
    'Deployment',
    'Widget',
    'Service',
    'ConfigMap',
    'CustomResourceDefinition',
    'Namespace',
  ]
  const { documents } = parseManifest(kinds.map((kind) => named(kind)).join('---\n'))
  expect(inApplyOrder(documents).map(({ kind }) => kind)).toEqual([
    'Namespace',
    'CustomResourceDefinition',
    'ConfigMap',
    'Service',
    'Deployment',
    'Widget',
    'Ingress',
  ])
})

test('every template and sample is a manifest without problems', () => {
  for (const text of [...manifestTemplates.map((each) => each.text), ...Object.values(sampleManifests)]) {
    const { documents, problems } = parseManifest(text)
    expect(problems).toEqual([])
    expect(documents.length).toBeGreaterThan(0)
  }
})

test('a sample lies in its own namespace, is labelled, and says which images it needs', () => {
  for (const { id, namespace, images } of samples) {
    const text = sampleManifests[id]
    const { documents } = parseManifest(text)
    for (const { kind, namespace: within, name, object } of documents) {
      expect(kind === 'Namespace' ? name : within).toBe(namespace)
      expect(object['metadata']).toMatchObject({ labels: { 'app.kubernetes.io/part-of': `sample-${id}` } })
    }
    const used = [...text.matchAll(/image: (\S+)/g)].map(([, image]) => image)
    expect(new Set(used)).toEqual(new Set(images))
  }
})

test('taking the live value changes that field of that document alone', () => {
  const text = `${named('ConfigMap')}---\n# ours\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 5 # many\n  paused: true\n`
  const [, document] = parseManifest(text).documents
  if (!document) throw new Error('the deployment was not read')
  const live = { spec: { replicas: 2 } }
  const next = withLiveValue(text, document, '.spec.replicas', live)
  expect(next).toContain('replicas: 2')
  expect(next).toContain('# ours')
  expect(next.startsWith(named('ConfigMap'))).toBe(true)
  expect(parseManifest(next).documents).toHaveLength(2)
  expect(withLiveValue(text, document, '.spec.paused', live)).not.toContain('paused')
})
