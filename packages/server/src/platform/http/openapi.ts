import { type Endpoint, type EndpointName, isIdempotent, maxWaitSeconds } from '@bey/contract'
import { api } from '@bey/contract/api'
import { commonErrors, type ErrorCode, errorTable } from '@bey/contract/base/errors'
import { permissionTable, roles } from '@bey/contract/base/permissions'
import type { WireShape } from '@bey/contract/base/wire'
import { wireShape } from '@bey/contract/base/wire-shape'
import { z } from 'zod'
import { type JsonSchema, jsonSchemaOf, type NamedSchemas } from './json-schema.ts'
import { isBodyOptional } from './parse.ts'

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}

/** `example`: of a real call. */
type Media = { schema: JsonSchema; example?: unknown }

export type Response = {
  description: string
  headers?: Record<string, { description: string; schema: JsonSchema }>
  content?: Record<string, Media>
  /** The codes that a problem with this status can have. */
  'x-codes'?: ErrorCode[]
}

export type Operation = {
  operationId: EndpointName
  tags: string[]
  summary: string
  /** `public`, `user`, or the permission that the role in the organization must hold. */
  'x-access': string
  /** Roles that hold the permission. */
  'x-roles'?: string[]
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Response>
}

export type OpenApi = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Record<string, object>; schemas: Record<string, JsonSchema> }
}

/** The whole contract as an OpenAPI 3.1 document, with names as they are on the wire. */
export function openApiOf(version: string): OpenApi {
  const paths: OpenApi['paths'] = {}
  const tags = new Set<string>()
  const named: NamedSchemas = {}
  for (const [name, endpoint] of Object.entries<Endpoint>(api) as [EndpointName, Endpoint][]) {
    // OpenAPI has no parameter that spans segments, so the rest of a path is a parameter named `path`.
    const path = endpoint.path.replace(/\*$/, '{path}')
    const operation = operationOf(name, endpoint, named)
    for (const tag of operation.tags) tags.add(tag)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bey',
      version,
      description: 'Self-hosted, open-source cloud console.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...tags].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'The token that log-in answered.' },
      },
      schemas: { ...named, Problem: problemSchema },
    },
  }
}

/** One endpoint as the document lists it; schemas that have a name go into `named`. */
export function operationOf(name: EndpointName, endpoint: Endpoint, named: NamedSchemas): Operation {
  const { access, body } = endpoint
  const isOfOrganization = access !== 'public' && access !== 'user'
  return {
    operationId: name,
    tags: [name.split('.')[0] ?? name],
    summary: endpoint.summary,
    'x-access': access,
    ...(isOfOrganization && { 'x-roles': rolesWith(permissionTable[access]) }),
    security: access === 'public' ? [] : [{ session: [] }],
    parameters: parametersOf(endpoint, isOfOrganization),
    ...(body && {
      requestBody: {
        required: !isBodyOptional(endpoint),
        content: {
          'application/json': {
            schema: titled(`${pascal(name)}Body`, jsonSchemaOf(body, shapeOf(endpoint, body), 'input')),
          },
        },
      },
    }),
    responses: responsesOf(name, endpoint, named),
  }
}

/** Generators of clients name the type after its title, where a schema has no name of its own. */
function titled(title: string, schema: JsonSchema): JsonSchema {
  return schema.properties ? { title, ...schema } : schema
}

const pascal = (name: string) =>
  name
    .split('.')
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('')

function rolesWith(least: (typeof roles)[number]): string[] {
  return roles.slice(0, roles.indexOf(least) + 1)
}

function parametersOf(endpoint: Endpoint, isOfOrganization: boolean): Parameter[] {
  const parameters = [
    ...partOf(endpoint, endpoint.params, 'path'),
    ...partOf(endpoint, endpoint.query, 'query'),
  ]
  if (endpoint.path.endsWith('*')) {
    parameters.push({
      name: 'path',
      in: 'path',
      required: true,
      description: 'The rest of the path.',
      schema: { type: 'string' },
    })
  }
  if (isOfOrganization) {
    parameters.push({
      name: 'x-organization-id',
      in: 'header',
      required: false,
      description: 'The organization to work in; the active one of the user unless given.',
      schema: { type: 'integer' },
    })
  }
  if (isIdempotent(endpoint)) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Any text of yours: repeated within 24 h, the request is not carried out again and the first reply is answered.',
      schema: { type: 'string', maxLength: 255 },
    })
  }
  if (endpoint.operation) {
    parameters.push({
      name: 'Prefer',
      in: 'header',
      required: false,
      description: `\`wait=30\` waits up to 30 s, at most ${maxWaitSeconds}, for the end of what is started, and answers the state then (RFC 7240).`,
      schema: { type: 'string' },
    })
  }
  if (endpoint.isVersioned && endpoint.body) {
    parameters.push({
      name: 'If-Match',
      in: 'header',
      required: false,
      description:
        'The ETag of what was read: refused with `conflict` where another version is stored meanwhile.',
      schema: { type: 'string' },
    })
  }
  return parameters
}

function partOf(endpoint: Endpoint, schema: z.ZodObject | undefined, place: 'path' | 'query'): Parameter[] {
  if (schema === undefined) return []
  // Parameters of a path have the names that the path itself has.
  const shape = place === 'path' ? undefined : shapeOf(endpoint, schema)
  const { properties = {}, required = [] } = jsonSchemaOf(schema, shape, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function responsesOf(name: EndpointName, endpoint: Endpoint, named: NamedSchemas): Record<string, Response> {
  if (isClusterProxy(endpoint)) return { '2XX': clusterResponse, default: statusResponse }
  const success = successOf(name, endpoint, named)
  const responses: Record<string, Response> = { [String(endpoint.status ?? 200)]: success }
  const codes = errorCodesOf(endpoint)
  for (const status of [...new Set(codes.map((code) => errorTable[code].status))].sort((a, b) => a - b)) {
    const here = codes.filter((code) => errorTable[code].status === status)
    responses[String(status)] = {
      description: here.map((code) => `\`${code}\`: ${errorTable[code].when}`).join('\n\n'),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      'x-codes': here,
    }
  }
  if (endpoint.operation && endpoint.status === 202)
    responses['200'] = { ...success, description: 'The end was waited for; this is the state since.' }
  for (const status of endpoint.alsoAnswers ?? []) {
    if (status === 202) {
      responses['202'] = { description: 'Taken; there is nothing to answer.' }
      continue
    }
    const problem = responses[String(status)]
    responses[String(status)] = {
      ...problem,
      ...otherAnswers[status],
      content: { ...problem?.content, ...success.content },
    }
  }
  return responses
}

function successOf(name: EndpointName, endpoint: Endpoint, named: NamedSchemas): Response {
  const { response } = endpoint
  if (endpoint.status === 204) return { description: 'Done; there is nothing to answer.' }
  const known = {
    ...(isIdempotent(endpoint) && {
      'idempotency-replayed': {
        description: '`true` when this is the reply to an earlier request with the same key.',
        schema: { type: 'string' },
      },
    }),
    ...(endpoint.operation && {
      'preference-applied': {
        description: 'The preference `wait`, where it was honoured.',
        schema: { type: 'string' },
      },
    }),
    ...(endpoint.isVersioned && {
      etag: { description: 'The version, for `If-Match`.', schema: { type: 'string' } },
    }),
  }
  const headers = Object.keys(known).length > 0 && { headers: known }
  if (!(response instanceof z.ZodType)) {
    return {
      description: 'Done.',
      ...headers,
      content: Object.fromEntries(
        [response.mediaType, ...(response.alternatives ?? [])].map((type) => [
          type,
          // JSON of which the contract knows no more.
          { schema: type === 'application/json' ? {} : { type: 'string' } },
        ]),
      ),
    }
  }
  const schema = titled(
    `${pascal(name)}Reply`,
    jsonSchemaOf(response, shapeOf(endpoint, response), 'output', named),
  )
  return { description: 'Done.', ...headers, content: { 'application/json': { schema } } }
}

/** What every endpoint of an organization can answer: whether there is one, and what it asks of its members. */
const codesOfOrganization = [
  'not_found',
  'organization_required',
  'organization_mismatch',
  'second_factor_required',
  'password_sign_in_off',
] as const satisfies readonly ErrorCode[]

/** Every code that an endpoint can answer, those included that follow from its kind. */
function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const { access } = endpoint
  const codes = new Set<ErrorCode>(commonErrors)
  // A key may not do what a person alone can.
  if (access !== 'public') {
    codes.add('unauthenticated')
    codes.add('forbidden')
  }
  if (access !== 'public' && access !== 'user') {
    for (const code of codesOfOrganization) codes.add(code)
    if (endpoint.method !== 'GET' && !endpoint.worksWhileDeleting) codes.add('organization_deleting')
  }
  // A body that is not taken is read all the same, to be refused.
  if (endpoint.method !== 'GET') {
    for (const code of ['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const)
      codes.add(code)
  }
  if (isIdempotent(endpoint)) {
    for (const code of ['idempotency_in_flight', 'idempotency_mismatch'] as const) codes.add(code)
  }
  if (endpoint.stepUp) codes.add('step_up_required')
  for (const code of endpoint.errors ?? []) codes.add(code)
  return (Object.keys(errorTable) as ErrorCode[]).filter((code) => codes.has(code))
}

function isClusterProxy({ path }: Endpoint): boolean {
  return path.endsWith('/proxy/*')
}

const otherAnswers: Readonly<Record<302 | 400 | 406 | 415 | 422 | 503, Omit<Response, 'content'>>> = {
  302: {
    description: 'Browsers that navigate here are led elsewhere.',
    headers: { location: { description: 'Where to.', schema: { type: 'string' } } },
  },
  400: { description: 'The same, which says what is wrong with the request.' },
  406: { description: 'The same, which says what the caller must accept.' },
  415: { description: 'The same, which says what the body must be.' },
  422: { description: 'The same, which says why there is no answer.' },
  503: { description: 'The same, which says what is wrong.' },
}

const clusterResponse: Response = {
  description: 'What the cluster answers, with its own status and media type.',
  content: { 'application/json': { schema: {} }, '*/*': { schema: {} } },
}

const statusResponse: Response = {
  description:
    'A failure, of Bey or of the cluster, as Kubernetes tells it; what runs in the cluster can answer anything else.',
  content: {
    '*/*': { schema: {} },
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          kind: { const: 'Status' },
          apiVersion: { const: 'v1' },
          status: { const: 'Failure' },
          message: { type: 'string' },
          reason: { type: 'string' },
          code: { type: 'integer' },
        },
      },
    },
  },
}

function shapeOf(endpoint: Endpoint, schema: z.ZodType): WireShape | undefined {
  return endpoint.wire && wireShape(schema)
}

export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'An error (RFC 9457).',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errorTable) },
    requestId: { type: 'string' },
    traceId: {
      type: 'string',
      description: 'Where traces are on: the id of the trace that has the request.',
    },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
}
