import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openApiOf, type Operation } from '../openapi.ts'
import { apiLines } from './api-lines.ts'
import { breakingChanges } from './breaking-changes.ts'

const file = new URL('./released-api.txt.gz', import.meta.url)

test('nothing that the last released API promised is broken', async () => {
  const present = apiLines(openApiOf('1'))
  // With a release that may break, and then only: see docs/api.md.
  if (process.env['BEY_RELEASE_API']) await writeFile(file, gzipSync(present.join('\n'), { level: 9 }))
  const released = gunzipSync(await readFile(file))
    .toString()
    .split('\n')
  expect(breakingChanges(released, present)).toEqual([])
})

const lines = [
  'GET /runs',
  'GET /runs > query.limit: integer',
  'GET /runs < 200 application/json: object',
  'GET /runs < 200 application/json.runs!: array',
  'GET /runs < 200 application/json.runs![]: #Run',
  'POST /runs',
  'POST /runs > body!: object',
  'POST /runs > body!.mode: "fast"|"slow"',
  'Run < : object',
  'Run < .id!: string',
  'Run < .status!: "failed"|"queued"',
]
const changed = (from: string, ...to: string[]) => lines.flatMap((line) => (line === from ? to : [line]))

test.each<[string, string[], string[]]>([
  ['nothing', lines, []],
  ['a new operation', [...lines, 'GET /more', 'GET /more > query.q!: string'], []],
  ['a new field of a reply', [...lines, 'Run < .note: string|null'], []],
  ['a new optional parameter', [...lines, 'GET /runs > query.search: string'], []],
  [
    'a new value of a reply',
    changed('Run < .status!: "failed"|"queued"', 'Run < .status!: "done"|"failed"|"queued"'),
    [],
  ],
  [
    'a value more in a request',
    changed('POST /runs > body!.mode: "fast"|"slow"', 'POST /runs > body!.mode: string'),
    [],
  ],
  ['an operation that is gone', lines.filter((line) => !line.startsWith('GET')), ['GET /runs is gone.']],
  ['a field that is gone', changed('Run < .id!: string'), ['Run < .id is gone.']],
  [
    'a field that may be missing',
    changed('Run < .id!: string', 'Run < .id: string'),
    ['Run < .id can be missing now.'],
  ],
  [
    'a field that may be null',
    changed('Run < .id!: string', 'Run < .id!: null|string'),
    ['Run < .id can be null now.'],
  ],
  ['another type', changed('Run < .id!: string', 'Run < .id!: integer'), ['Run < .id can be integer now.']],
  [
    'a parameter that is gone',
    changed('GET /runs > query.limit: integer'),
    ['GET /runs > query.limit is gone.'],
  ],
  [
    'a new required field',
    [...lines, 'POST /runs > body!.reason!: string'],
    ['POST /runs > body.reason is new and required.'],
  ],
  [
    'a new required parameter',
    [...lines, 'GET /runs > query.from!: string'],
    ['GET /runs > query.from is new and required.'],
  ],
  [
    'a field that becomes required',
    changed('POST /runs > body!.mode: "fast"|"slow"', 'POST /runs > body!.mode!: "fast"|"slow"'),
    ['POST /runs > body.mode is required now.'],
  ],
  [
    'a value less in a request',
    changed('POST /runs > body!.mode: "fast"|"slow"', 'POST /runs > body!.mode: "fast"'),
    ['POST /runs > body.mode no longer takes "slow".'],
  ],
])('%s', (_change, present, sentences) => expect(breakingChanges(lines, present)).toEqual(sentences))

const operation: Operation = {
  operationId: 'workflows.runs',
  tags: [],
  summary: '',
  'x-access': 'public',
  security: [],
  parameters: [],
  responses: {},
}

test('a further alternative of what a request takes breaks nothing, whatever it requires', () => {
  const property = (name: string) => ({ properties: { kind: {}, [name]: {} }, required: ['kind', name] })
  const linesWith = (names: string[]) =>
    apiLines({
      paths: {
        '/rules': {
          post: {
            ...operation,
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { anyOf: names.map(property) } } },
            },
          },
        },
      },
      components: { securitySchemes: {}, schemas: {} },
    })
  const released = linesWith(['pods', 'ranges'])
  expect(breakingChanges(released, linesWith(['pods', 'ranges', 'databaseId']))).toEqual([])
  expect(breakingChanges(released, linesWith(['pods']))).not.toEqual([])
})
