import { useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'

/** The part of JSON Schema that the API's own description uses. */
export interface JsonSchema {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  format?: string
  minimum?: number
  minLength?: number
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  items?: JsonSchema
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
}

export interface ApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}

/** An endpoint as the server describes it. */
export interface ApiOperation {
  operationId: string
  /** The noun that it belongs to. */
  group: string
  method: string
  path: string
  summary: string
  /** `public`, `user`, or the permission that it needs. */
  access: string
  parameters: readonly ApiParameter[]
  body: JsonSchema | undefined
}

/** Every endpoint of this server, from its own OpenAPI document. */
export function useApiReference() {
  return useQuery({
    queryKey: ['api-reference'],
    queryFn: async () => operationsOf(await api.call('status.openapi', {})),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

interface Operation {
  operationId: string
  tags: readonly string[]
  summary: string
  'x-access': string
  parameters: readonly ApiParameter[]
  requestBody?: { content: Readonly<Record<string, { schema: JsonSchema }>> }
}

function operationsOf(text: string): ApiOperation[] {
  // Our own server's document, of the same release as this page or a later one.
  const document = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operationId: operation.operationId,
      group: operation.tags[0] ?? '',
      method: method.toUpperCase(),
      path,
      summary: operation.summary,
      access: operation['x-access'],
      parameters: operation.parameters,
      body: operation.requestBody?.content['application/json']?.schema,
    })),
  )
}
