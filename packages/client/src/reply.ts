import type { EndpointName, Problem } from '@bey/contract'
import { fromWire, routes } from '@bey/contract'
import { ApiError } from './api-error.ts'

/** A success as the contract names it: JSON, text where either side does not speak JSON, null where there is no body. */
export async function readReply(name: EndpointName, response: Response): Promise<unknown> {
  if (response.status === 204) return null
  const text = await response.text()
  const route = routes[name]
  if (route.isText || !isJson(response)) return text
  const shape = route.wire?.response
  const value = parse(response, text)
  return shape ? fromWire(value, shape) : value
}

/** What an answer that is no success says. */
export async function readProblem(response: Response): Promise<ApiError> {
  const text = await response.text()
  const problem = isJson(response) ? problemIn(parse(response, text)) : undefined
  return new ApiError({
    kind: 'problem',
    status: response.status,
    // HTTP/2 has no status text.
    statusText: response.statusText || problem?.title || `HTTP ${response.status}`,
    problem,
    detail: isJson(response) ? undefined : text.slice(0, 300),
    requestId: response.headers.get('x-request-id') ?? undefined,
  })
}

function isJson(response: Response): boolean {
  return /^[^;]*[/+]json\b/i.test(response.headers.get('content-type') ?? '')
}

function parse(response: Response, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ApiError({
      kind: 'network',
      status: response.status,
      statusText: 'The answer was cut off',
      detail: 'The answer of the server was cut off on its way. Try again.',
      requestId: response.headers.get('x-request-id') ?? undefined,
      cause,
    })
  }
}

// Our own server fills every field of a problem; a proxy in between may not, so none is relied upon.
function problemIn(value: unknown): Partial<Problem> | undefined {
  return typeof value === 'object' && value !== null ? value : undefined
}
