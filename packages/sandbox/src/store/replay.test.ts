import { appendFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { temporaryDirectory } from '../testing/test-sandbox.ts'
import { configMaps, events, type ConfigMap, type KubeObject } from '../types.ts'
import { Store } from './store.ts'

let dir: string

beforeEach(() => (dir = temporaryDirectory()))
afterEach(() => rmSync(dir, { recursive: true, force: true }))

function object(name: string, data: Record<string, string> = {}): KubeObject {
  const metadata = { name, namespace: 'default', uid: name, resourceVersion: '', creationTimestamp: '' }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }
}

const dataOf = (found: ConfigMap | undefined) => found?.data

test('of every object the last state comes back, and what was removed does not', async () => {
  const store = new Store(dir, systemClock)
  store.write(configMaps.key, object('a', { n: '1' }))
  store.write(configMaps.key, object('a', { n: ',"o":{"k":"trap"}' }))
  store.write(configMaps.key, object('b'))
  store.write(events.key, object('news', { text: 'ü' }))
  store.remove(configMaps.key, 'default', 'b')
  await store.close()
  const again = new Store(dir, systemClock)
  expect(again.list(configMaps).map(dataOf)).toEqual([{ n: ',"o":{"k":"trap"}' }])
  expect(again.all(events.key)).toMatchObject([{ data: { text: 'ü' } }])
  expect(again.revision).toBeGreaterThanOrEqual(store.revision)
  await again.close()
})

test('what is read later is there for anyone who asks first, and is written over and not twice', async () => {
  const store = new Store(dir, systemClock)
  for (let i = 0; i < 500; i++) store.write(events.key, object(`e${i}`))
  await store.close()
  const again = new Store(dir, systemClock)
  again.write(events.key, object('e7', { is: 'new' }))
  expect(again.count(events.key)).toBe(500)
  expect(again.find(events.key, 'default', 'e7')).toMatchObject({ data: { is: 'new' } })
  await again.close()
})

test('journals whose lines do not begin with a name are understood', () => {
  const a = object('a')
  a.metadata.resourceVersion = '5'
  const lines = [
    '{"v":10001}',
    `{"k":"configmaps","o":${JSON.stringify(a)}}`,
    `{"k":"configmaps","o":${JSON.stringify(object('b'))}}`,
    '{"k":"configmaps","d":["default","b"],"r":7}',
  ]
  writeFileSync(join(dir, 'log-0.jsonl'), `${lines.join('\n')}\n`)
  const store = new Store(dir, systemClock)
  expect(store.list(configMaps).map((one) => one.metadata.name)).toEqual(['a'])
  expect(store.revision).toBe(10001)
})

test('a torn last line is dropped, and damage before it is reported', async () => {
  const store = new Store(dir, systemClock)
  store.write(configMaps.key, object('a'))
  await store.close()
  const [file = ''] = readdirSync(dir)
  appendFileSync(join(dir, file), '{"r":3,"k":"configmaps","n":["default","c"],"o":{"api')
  const again = new Store(dir, systemClock)
  expect(again.list(configMaps)).toHaveLength(1)
  await again.close()
  appendFileSync(join(dir, file), 'nonsense\n')
  expect(() => new Store(dir, systemClock)).toThrow(/damaged at byte \d+/)
})
