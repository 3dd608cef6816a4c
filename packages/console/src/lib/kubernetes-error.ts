/** What is wrong with one part of a refused object, or why it was refused. */
interface StatusCause {
  field: string
  message: string
  reason: string
}

/** The API server's `Status` of a failure (Kubernetes API reference, `meta/v1`), as far as screens read it. */
export interface KubernetesFailure {
  /** The HTTP status; 0 where there was no answer. */
  code: number
  /** `NotFound`, `Conflict`, `Forbidden` …; empty where the answer was no Status. */
  reason: string
  /** The server's own words. */
  message: string
  causes: readonly StatusCause[]
  retryAfterSeconds: number | undefined
}

/** A request that a cluster, or Bey in front of it, did not fulfil. Its message is a text for people. */
export class KubernetesError extends Error {
  readonly failure: KubernetesFailure

  constructor(failure: KubernetesFailure, options?: ErrorOptions) {
    super(failureText(failure), options)
    this.name = 'KubernetesError'
    this.failure = failure
  }
}

/** Whether an error says that there is no such object. */
export function isGone(error: unknown): boolean {
  return error instanceof KubernetesError && error.failure.reason === 'NotFound'
}

/** What a cluster answered instead of success. */
export function failureOfBody(code: number, text: string): KubernetesFailure {
  const body = parsed(text)
  const details = recordOf(body['details'])
  const isStatus = body['kind'] === 'Status'
  const causes = Array.isArray(details['causes']) ? details['causes'] : []
  const wait = details['retryAfterSeconds']
  return {
    code,
    reason: isStatus ? textOf(body['reason']) : '',
    message: isStatus ? textOf(body['message']) : '',
    causes: causes.slice(0, maxCauses).map((cause) => {
      const { field, message, reason } = recordOf(cause)
      return { field: textOf(field), message: textOf(message), reason: textOf(reason) }
    }),
    retryAfterSeconds: typeof wait === 'number' ? wait : undefined,
  }
}

const maxCauses = 20

function failureText({ code, reason, message, causes }: KubernetesFailure): string {
  if (code === 0) return message
  if (reason === '') return `The cluster answered ${code} with something that Kubernetes does not send.`
  switch (reason) {
    case 'NotFound':
      return `It does not exist in the cluster any more: ${message}.`
    case 'Conflict':
      return 'It was changed in the meantime, so your change was not applied. Review it, then try again.'
    case 'Forbidden':
      return `The cluster does not allow this: ${message}`
    case 'Invalid':
      return causes.length > 0
        ? causes.map(({ field, message: text }) => (field ? `${field}: ${text}` : text)).join('; ')
        : message
    case 'TooManyRequests':
      return [message, ...causes.map((cause) => cause.message)].filter(Boolean).join(' ')
    default:
      return message || `The cluster answered ${code} (${reason}).`
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  // Any object can be read by its keys.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
