import { readFileSync } from 'node:fs'
import type { EndpointName } from '@bey/contract'
import type { OpenApi, Operation } from '../openapi.ts'

/** A call as the API reference shows it: recorded from a real one, with what differs from run to run made alike. */
export type Example = { path: string; query?: string; body?: unknown; status: number; reply?: unknown }

/** Endpoints without a recorded call, each with the reason. */
export const withoutExample: Readonly<Partial<Record<EndpointName, string>>> = {
  'status.openapi': 'Its reply is this document.',
  'auth.passkeyLogin': 'Its body is made by a browser, and good once.',
  'demo.visit': 'Its ticket is printed by the start of the server, and good once.',
  'account.addPasskey': 'Its body is made by a browser, and good once.',
  'kubernetes.proxyGet': 'What it answers is the reference of Kubernetes.',
  'kubernetes.proxyPost': 'What it answers is the reference of Kubernetes.',
  'kubernetes.proxyPut': 'What it answers is the reference of Kubernetes.',
  'kubernetes.proxyPatch': 'What it answers is the reference of Kubernetes.',
  'kubernetes.proxyDelete': 'What it answers is the reference of Kubernetes.',
}

/** Recorded calls by the names of their endpoints: `BEY_RECORD_EXAMPLES=1` with the sweep of all endpoints writes the file. */
export function readExamples(): ReadonlyMap<EndpointName, Example> {
  const text = readFileSync(new URL('./examples.jsonl', import.meta.url), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '')
  // The sweep wrote each line from the contract; a test compares the file with it.
  return new Map(lines.map((line) => JSON.parse(line) as [EndpointName, Example]))
}

/** The document with the recorded body and reply of each operation beside their schemas. */
export function withExamples(document: OpenApi, examples: ReturnType<typeof readExamples>): OpenApi {
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        operationWith(operation, examples.get(operation.operationId)),
      ]),
    ),
  ])
  return { ...document, paths: Object.fromEntries(paths) as OpenApi['paths'] }
}

const json = 'application/json'

function operationWith(operation: Operation, example: Example | undefined): Operation {
  if (example === undefined) return operation
  const { requestBody, responses } = operation
  const status = String(example.status)
  const body = requestBody?.content[json]
  const response = responses[status]
  const reply = response?.content?.[json]
  return {
    ...operation,
    ...(requestBody &&
      body &&
      example.body !== undefined && {
        requestBody: {
          ...requestBody,
          content: { ...requestBody.content, [json]: { ...body, example: example.body } },
        },
      }),
    ...(response &&
      reply &&
      example.reply !== undefined && {
        responses: {
          ...responses,
          [status]: {
            ...response,
            content: { ...response.content, [json]: { ...reply, example: example.reply } },
          },
        },
      }),
  }
}
