import type { ApiOperation, ApiParameter } from '../../data/api-reference.ts'
import type { RawCall } from '../../lib/raw-call.ts'

/** What was typed for an endpoint: texts by the name of the parameter, and the body as JSON text. */
export interface CallInput {
  values: Readonly<Record<string, string>>
  body: string
}

/** Parameters that one fills in; the organization is the session's own. */
export function inputsOf(operation: ApiOperation): ApiParameter[] {
  return operation.parameters.filter((parameter) => parameter.name !== 'x-organization-id')
}

/** What is missing or wrong in the input, as a sentence, or undefined. */
export function problemOf(operation: ApiOperation, { values, body }: CallInput): string | undefined {
  const missing = inputsOf(operation).filter((each) => each.required && !values[each.name]?.trim())
  if (missing.length > 0) return `Fill in ${missing.map((each) => each.name).join(', ')}.`
  if (!operation.body) return undefined
  try {
    JSON.parse(body)
    return undefined
  } catch (error) {
    return `The body is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`
  }
}

/** The call as it goes over the wire. What is left empty is not sent. */
export function callOf(operation: ApiOperation, input: CallInput, organizationId: number): RawCall {
  const given = inputsOf(operation).flatMap((parameter) => {
    const value = input.values[parameter.name]?.trim() ?? ''
    return value === '' ? [] : [{ parameter, value }]
  })
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  if (operation.parameters.some((each) => each.name === 'x-organization-id') && organizationId > 0)
    headers['x-organization-id'] = String(organizationId)
  for (const { parameter, value } of given) {
    if (parameter.in === 'header') headers[parameter.name] = value
    if (parameter.in !== 'query') continue
    const isList = parameter.schema.type === 'array'
    for (const each of isList ? value.split(',') : [value]) query.append(parameter.name, each.trim())
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.values[name]?.trim() ?? ''
    // The rest of a path keeps its slashes.
    return name === 'path' ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)
  })
  return {
    method: operation.method,
    path: query.size === 0 ? path : `${path}?${query.toString()}`,
    headers,
    body: operation.body ? input.body : undefined,
  }
}

/** Whether a call takes something away: it is sent only after a confirmation that names it. */
export function isDestructive({ method, operationId }: ApiOperation): boolean {
  return method === 'DELETE' || /delet|revoke|cancel|logout|password/i.test(operationId)
}
