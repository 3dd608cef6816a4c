import type { Endpoint, EndpointName } from '@bey/contract'
import { api } from '@bey/contract/api'
import { fromWire } from '@bey/contract/base/wire'
import { wireShape } from '@bey/contract/base/wire-shape'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openApiOf } from '../openapi.ts'
import { readExamples, withExamples, withoutExample } from './examples.ts'
import { docsPage } from './page.ts'

const examples = readExamples()
const names = Object.keys(api) as EndpointName[]

// Both: BEY_RECORD_EXAMPLES=1 npx vitest run packages/server/src/sweep.test.ts -t 'succeeds, and only' (docs/api.md).
test('every endpoint has a recorded call, and those without say why', () => {
  const missing = names.filter((name) => !examples.has(name))
  expect(missing.toSorted()).toEqual(Object.keys(withoutExample).toSorted())
  expect([...examples.keys()].filter((name) => !names.includes(name))).toEqual([])
})

test('recorded bodies and replies fit the contract of today', () => {
  const wrong: unknown[] = []
  for (const [name, { body, reply }] of examples) {
    const endpoint: Endpoint = api[name]
    const check = (part: string, schema: Endpoint['response'] | undefined, value: unknown) => {
      if (!(schema instanceof z.ZodType) || value === undefined || value === null) return
      const shape = endpoint.wire && wireShape(schema)
      const parsed = schema.safeParse(shape ? fromWire(value, shape) : value)
      const issues = (parsed.error?.issues ?? []).filter((issue) => part === 'body' || !isNewField(issue))
      if (issues.length > 0)
        wrong.push([name, part, issues.map((each) => `${each.path.join('.')}: ${each.message}`)])
    }
    check('body', endpoint.body, body)
    check('reply', endpoint.response, reply)
  }
  expect(wrong).toEqual([])
})

test('no example holds a secret, or what looks like one', () => {
  const secret = /\b(bey_[a-z]+_|whsec_)\w|PRIVATE KEY-----\s*\w|\b(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{32,}/
  for (const [name, example] of examples)
    expect([name, secret.exec(JSON.stringify(example))]).toEqual([name, null])
})

test('the document and the page show them', () => {
  const document = withExamples(openApiOf('1'), examples)
  const { requestBody, responses } = document.paths['/api/kubernetes/clusters']?.['post'] ?? {}
  expect(requestBody?.content['application/json']?.example).toMatchObject({ provider: 'sandbox' })
  expect(responses?.['201']?.content?.['application/json']?.example).toMatchObject({ provider: 'sandbox' })
  expect(docsPage(document, examples)).toContain('It was answered with 201:')
})

/** A field that replies have since the call was recorded: the example is poorer than it could be, and true all the same. */
function isNewField(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
}
