import { expect, test } from 'vitest'
import { yamlContext } from './yaml-context.ts'

/** The place is marked by | in the text. */
function at(marked: string) {
  const place = marked.indexOf('|')
  return yamlContext(marked.replace('|', ''), place)
}

const deployment = `apiVersion: apps/v1
kind: Deployment
spec:
  template:
    spec:
      containers:
        - name: web
          image: nginx
          ports:
          - containerPort: 80
          - contain|
`

test('a key being typed is found below lists, indented or not', () => {
  const found = at(deployment)
  expect(found?.parents).toEqual(['spec', 'template', 'spec', 'containers', 0, 'ports', 1])
  expect(found).toMatchObject({ key: 'contain', isValue: false, typed: 'contain' })
})

test('behind a colon the place is a value of its key', () => {
  const found = at('spec:\n  strategy:\n    type: Rec|\n')
  expect(found).toMatchObject({ key: 'type', isValue: true, typed: 'Rec', parents: ['spec', 'strategy'] })
})

test('an empty line belongs to what its column says', () => {
  expect(at('spec:\n  replicas: 2\n  |\n')?.parents).toEqual(['spec'])
  expect(at('spec:\n  replicas: 2\n|\n')?.parents).toEqual([])
  expect(at('items:\n- a: 1\n  |')?.parents).toEqual(['items', 0])
})

test('documents are apart, and comments are no place', () => {
  const found = at('kind: Service\nspec:\n---\nkind: Pod\nspe|')
  expect(found).toMatchObject({ parents: [], key: 'spe', document: 'kind: Pod\nspe' })
  expect(at('kind: Pod # a comment|')).toBeUndefined()
})
