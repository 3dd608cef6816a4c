import { expect, test } from 'vitest'
import {
  entityResourceId,
  objectOfResourceId,
  objectResourceId,
  resourceKindOf,
  resourceKinds,
} from './kinds.ts'

test('each kind has a name of its own, which no id can be confused with', () => {
  const names = resourceKinds.map(({ kind }) => kind)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9-]*$/)
  expect(resourceKindOf('api-key')).toMatchObject({ singular: 'API key' })
  expect(entityResourceId('apiKey', 'x')).toBe('api-key:x')
})

test('an object is found again by its id, whatever dots and colons its name has', () => {
  const objects = [
    { kind: 'pod', clusterId: 3, namespace: 'shop', name: 'web-1' },
    { kind: 'node', clusterId: 12, namespace: '', name: 'ip-10-0-0-1.eu.compute.internal' },
    { kind: 'configmap', clusterId: 1, namespace: 'kube-system', name: 'a:b.c' },
  ]
  for (const object of objects) expect(objectOfResourceId(objectResourceId(object))).toEqual(object)
  for (const id of ['cluster:3', 'pod:x.shop.web', 'pod:3.shop.', 'unknown:3.shop.web', '']) {
    expect(objectOfResourceId(id), id).toBeUndefined()
  }
})
