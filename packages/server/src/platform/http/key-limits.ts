import {
  coversResources,
  type Endpoint,
  type KeyResource,
  limitedBy,
  listedAt,
  namedResources,
} from '@bey/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { KeyRights } from '../keys/key-rights.ts'

/**
 * Throws `forbidden` where a key that is limited to some things asks for another one, or for what is not about one of
 * them. The list of their type is answered with these alone (`limitNow`); any other list is refused, for it would tell of
 * what the key must not see.
 */
export function requireResourceInPath(endpoint: Endpoint, { params }: FastifyRequest, key: KeyRights): void {
  if (key.resources.length === 0 || endpoint.isForEveryKey) return
  const listed = endpoint.method === 'GET' ? listedAt(endpoint.path) : undefined
  if (listed !== undefined && key.resources.some(({ type }) => type === listed)) return
  const type = limitedBy(endpoint.path)
  const { id } = params as { id?: string }
  if (type !== undefined && id !== undefined && coversResources(key.resources, [{ type, id }])) return
  throw beyondLimits(key)
}

/** The same for what the query and the body name beside the path. */
export function requireNamedResources(endpoint: Endpoint, { caller }: FastifyRequest, input: object): void {
  const key = caller?.key
  if (key === undefined || key.resources.length === 0 || endpoint.isForEveryKey) return
  const named = ['query', 'body'].flatMap((part): KeyResource[] => {
    const fields: unknown = Reflect.get(input, part)
    return typeof fields === 'object' && fields !== null ? namedResources(fields) : []
  })
  if (named.length > 0 && !coversResources(key.resources, named)) throw beyondLimits(key)
}

function beyondLimits({ name, resources }: KeyRights): AppError {
  const limits = resources.slice(0, 5).map(({ type, id }) => `${type} ${id}`)
  const more = resources.length > limits.length ? ` and ${resources.length - limits.length} more` : ''
  return new AppError(
    'forbidden',
    `The API key "${name}" is limited to ${limits.join(', ')}${more}. Ask for one of these, or use a key without that limit.`,
  )
}
