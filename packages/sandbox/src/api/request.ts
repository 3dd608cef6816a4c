import type { IncomingMessage, ServerResponse } from 'node:http'
import type { User } from '../http/authenticate.ts'
import { wantedView, type View } from '../http/accept.ts'
import { warn } from '../http/warnings.ts'
import type { Kind } from '../registry/kind.ts'
import { badRequest, StatusError } from '../status-error.ts'
import type { FieldValidation } from './coder.ts'
import type { Cluster } from './context.ts'
import type { DeleteOptions, Propagation } from './deletion.ts'

/** One authenticated request for a resource. */
export type ApiRequest = {
  cluster: Cluster
  kind: Kind
  namespace: string | undefined
  name: string
  subresource: string | undefined
  /** The subresource that admission hears of where the write goes through another one. */
  admittedAs?: string
  query: URLSearchParams
  user: User
  request: IncomingMessage
  response: ServerResponse
}

export function viewOf({ request }: ApiRequest): View {
  return wantedView(request.headers.accept)
}

export function warnClient({ response }: ApiRequest): (text: string) => void {
  return (text) => warn(response, text)
}

export function isDryRun(query: URLSearchParams): boolean {
  const values = query.getAll('dryRun')
  const wrong = values.find((value) => value !== 'All' && value !== '')
  if (wrong !== undefined)
    throw badRequest(
      `Invalid value: ${JSON.stringify(wrong)}: dryRun: Unsupported value: supported values: "All"`,
    )
  return values.includes('All')
}

const validations: readonly FieldValidation[] = ['Strict', 'Warn', 'Ignore']

export function fieldValidation(query: URLSearchParams): FieldValidation {
  const value = query.get('fieldValidation') || 'Warn'
  const found = validations.find((one) => one === value)
  if (!found)
    throw new StatusError(
      422,
      'Invalid',
      `fieldValidation: Unsupported value: ${JSON.stringify(value)}: supported values: "Ignore", "Strict", "Warn"`,
    )
  return found
}

/** The name that managedFields gives the writer: what it calls itself, else the start of its user agent. */
export function fieldManager({ query, request }: ApiRequest): string {
  const own = query.get('fieldManager')
  if (own !== null && own.length > 128)
    throw new StatusError(422, 'Invalid', 'fieldManager: Too long: may not be more than 128 bytes')
  return own || (request.headers['user-agent'] ?? 'unknown').split('/')[0]?.slice(0, 128) || 'unknown'
}

export function whole(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^-?\d{1,15}$/.test(text))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  return Number(text)
}

/** Whether a flag is set: anything but `0` and `false` in any case, as clients in Python spell it, is true. */
export function isTrue(query: URLSearchParams, name: string): boolean {
  const text = query.get(name)
  return text !== null && text !== '0' && text.toLowerCase() !== 'false'
}

const propagations: readonly Propagation[] = ['Background', 'Foreground', 'Orphan']

/** Options of a delete request from its body and its query. Throws 422 for ones that do not exist. */
export function deleteOptions(query: URLSearchParams, body: Record<string, unknown>): DeleteOptions {
  const grace = body['gracePeriodSeconds'] ?? whole(query, 'gracePeriodSeconds')
  const policy = body['propagationPolicy'] ?? query.get('propagationPolicy') ?? undefined
  const propagation = propagations.find((one) => one === policy)
  if (policy !== undefined && !propagation) {
    throw new StatusError(
      422,
      'Invalid',
      `DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: ${JSON.stringify(policy)}: supported values: "Foreground", "Background", "Orphan", "nil"`,
    )
  }
  const orphan = body['orphanDependents']
  const conditions = body['preconditions']
  const preconditions: { uid?: string; resourceVersion?: string } = {}
  if (typeof conditions === 'object' && conditions !== null) {
    if ('uid' in conditions && typeof conditions.uid === 'string') preconditions.uid = conditions.uid
    if ('resourceVersion' in conditions && typeof conditions.resourceVersion === 'string') {
      preconditions.resourceVersion = conditions.resourceVersion
    }
  }
  const dry = body['dryRun']
  return {
    ...(typeof grace === 'number' ? { graceSeconds: Math.max(0, grace) } : {}),
    ...(propagation ? { propagation } : orphan === true ? { propagation: 'Orphan' as const } : {}),
    dryRun: isDryRun(query) || (Array.isArray(dry) && dry.includes('All')),
    preconditions,
  }
}
