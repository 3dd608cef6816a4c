import type { Endpoint, EndpointName } from '@bey/contract'
import { api } from '@bey/contract/api'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { NamedSchemas } from '../platform/http/json-schema.ts'
import { type Operation, operationOf, problemSchema } from '../platform/http/openapi.ts'

type SeenReply = { status: number; headers: Headers; text: string; body: unknown }

type Declared = { pattern: RegExp; method: string; operation: () => Operation; named: NamedSchemas }

const declared: readonly Declared[] = (Object.entries(api) as [EndpointName, Endpoint][])
  .map(([name, endpoint]) => {
    const named: NamedSchemas = {}
    let operation: Operation | undefined
    return {
      method: endpoint.method,
      pattern: patternOf(endpoint.path),
      named,
      operation: () => (operation ??= operationOf(name, endpoint, named)),
      parameters: endpoint.path.split(/[{*]/).length,
    }
  })
  // As routers do: a path that is written out goes before one with parameters.
  .toSorted((one, other) => one.parameters - other.parameters)

/**
 * How a reply differs from what the OpenAPI document says of the endpoint: its status, its media type, the code of a
 * problem, or its body. Undefined where they agree, and where the contract has no such endpoint.
 */
export function undeclaredPartOf(method: string, address: string, reply: SeenReply): string | undefined {
  const { pathname } = new URL(address, 'http://localhost')
  const found = declared.find((each) => each.method === method && each.pattern.test(pathname))
  if (found === undefined) return undefined
  const operation = found.operation()
  const where = `${operation.operationId} answered ${reply.status}`
  const response =
    operation.responses[String(reply.status)] ??
    operation.responses[`${String(reply.status).charAt(0)}XX`] ??
    operation.responses['default']
  if (response === undefined) return `${where}, which is not declared: ${reply.text.slice(0, 300)}`
  if (response.content === undefined) {
    return reply.text === '' ? undefined : `${where} with a body, and none is declared`
  }
  const mediaType = reply.headers.get('content-type')?.split(';', 1)[0] ?? 'no media type'
  const content = response.content[mediaType] ?? response.content['*/*']
  if (content === undefined) {
    return `${where} as ${mediaType}, and declares ${Object.keys(response.content).join(', ')}`
  }
  const code: unknown = typeof reply.body === 'object' && reply.body && Reflect.get(reply.body, 'code')
  const codes: readonly unknown[] | undefined =
    mediaType === 'application/problem+json' ? response['x-codes'] : undefined
  if (codes && !codes.includes(code)) return `${where} with the code ${String(code)}, which is not declared`
  if (!/[/+]json$/.test(mediaType)) return undefined
  const validate = validatorOf(found, content.schema)
  if (validate(reply.body)) return undefined
  const errors = (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message ?? ''}`,
  )
  return `${where} with another body than declared: ${errors.slice(0, 5).join('; ')}`
}

/** Throws where a reply differs from what the OpenAPI document says of its endpoint. */
export function assertDeclared(method: string, address: string, reply: SeenReply): void {
  const undeclared = undeclaredPartOf(method, address, reply)
  if (undeclared !== undefined) throw new Error(`The OpenAPI document is wrong: ${undeclared}`)
}

const validators = new WeakMap<object, ValidateFunction>()
// One for all: each instance compiles the schema of JSON Schema anew, which takes longer than all that is done with it.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, code: { optimize: false } })

function validatorOf({ named }: Declared, schema: object): ValidateFunction {
  const known = validators.get(schema)
  if (known) return known
  const compiled = ajv.compile({ ...schema, components: { schemas: { ...named, Problem: problemSchema } } })
  validators.set(schema, compiled)
  return compiled
}

/** A path of the contract as an expression over addresses. */
function patternOf(path: string): RegExp {
  const source = path
    .replaceAll('.', '\\.')
    .replace(/\*$/, '.*')
    .replaceAll(/\{[^}]+\}/g, '[^/]+')
  return new RegExp(`^${source}$`)
}
