import { expect, test } from 'vitest'
import { isNamedInBody, nameInBody } from './object-in-body.ts'
import { requestInfo } from './request-info.ts'

const infoOf = (method: string, path: string) =>
  requestInfo(method, path.slice(1).split('/'), new URLSearchParams())

test('creations alone leave the name to the body', () => {
  expect(isNamedInBody(infoOf('POST', '/api/v1/namespaces/a/pods'))).toBe(true)
  expect(isNamedInBody(infoOf('POST', '/api/v1/namespaces'))).toBe(true)
  expect(isNamedInBody(infoOf('POST', '/api/v1/namespaces/a/pods/x/eviction'))).toBe(false)
  expect(isNamedInBody(infoOf('POST', '/api/v1/namespaces/a/serviceaccounts/x/token'))).toBe(false)
  expect(isNamedInBody(infoOf('PATCH', '/api/v1/namespaces/a/pods/x'))).toBe(false)
  expect(isNamedInBody(infoOf('DELETE', '/api/v1/namespaces/a/pods'))).toBe(false)
})

/** A field of protobuf with a length below 128. */
const field = (number: number, value: Buffer | string) => {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes])
}

function protobuf(metadata: Buffer): Buffer {
  const type = Buffer.concat([field(1, 'v1'), field(2, 'Pod')])
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, field(1, metadata))])
}

test('the name is read from JSON, YAML and protobuf, with the kind', () => {
  const pod = { kind: 'Pod', name: 'x' }
  expect(nameInBody(Buffer.from('{"kind":"Pod","metadata":{"name":"x"}}'), 'application/json')).toEqual(pod)
  expect(nameInBody(Buffer.from('kind: Pod\nmetadata:\n  name: x\n'), 'application/yaml')).toEqual(pod)
  expect(nameInBody(protobuf(field(1, 'x')), 'application/vnd.kubernetes.protobuf')).toEqual(pod)
  expect(nameInBody(protobuf(field(2, 'x-')), undefined)).toEqual({ kind: 'Pod', generateName: 'x-' })
})

test('what names nothing, is too long or cut off names nothing and breaks nothing', () => {
  for (const text of ['', 'null', '[]', '{', '{"metadata":7}', '{"metadata":{"name":7}}']) {
    expect(nameInBody(Buffer.from(text), 'application/json')).toEqual({})
  }
  const long = JSON.stringify({ metadata: { name: 'x'.repeat(254) } })
  expect(nameInBody(Buffer.from(long), 'application/json')).toEqual({})
  const whole = protobuf(field(1, 'x'))
  for (let length = 4; length < whole.length; length++) {
    expect(nameInBody(whole.subarray(0, length), undefined)).not.toHaveProperty('name')
  }
  expect(nameInBody(Buffer.from('a: &a [*a]\nb: *a'), 'application/yaml')).toEqual({})
})
