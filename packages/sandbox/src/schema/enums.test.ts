import { expect, test } from 'vitest'
import { at, objectAt, textAt } from '../json.ts'
import { testSandbox } from '../testing/test-sandbox.ts'
import { enumOf, enums } from './enums.ts'
import { modelOf } from './models.ts'

test('fields with a closed list of values say so where clients look', async () => {
  const sandbox = await testSandbox({ nodes: [] })
  const { body } = await sandbox.call('GET', '/openapi/v3/api/v1')
  const container = objectAt(body, 'components', 'schemas', 'io.k8s.v1.Container', 'properties')
  expect(at(container, 'imagePullPolicy', 'enum')).toEqual(['Always', 'IfNotPresent', 'Never'])
  expect(textAt(container, 'imagePullPolicy', 'description')).toMatch(
    /^Image pull policy[^]*\n\nPossible enum values:\n - `"Always"`\n - `"IfNotPresent"`\n - `"Never"`$/,
  )
  expect(at(container, 'image', 'enum')).toBeUndefined()
  await sandbox.remove()
})

test('the listed fields are text fields of their models', () => {
  for (const [model, own] of Object.entries(enums))
    for (const name of Object.keys(own)) expect(modelOf(model)?.[name], `${model}.${name}`).toMatch(/^!?s$/)
  expect(enumOf('V1Toleration', 'operator')).toEqual(['Equal', 'Exists'])
  expect(enumOf('V1Toleration', 'key')).toBeUndefined()
})
