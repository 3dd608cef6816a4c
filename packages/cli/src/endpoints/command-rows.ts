import { commandWords, kebab, type EndpointName } from '@bey/contract'
import { api } from '@bey/contract/api'
import type { Endpoint } from '@bey/contract/base/endpoint'
import { z } from 'zod'
import type { EndpointCommand, Flag } from '../command.ts'
import { columnsOf, kindOf, listOf, openSchema, type JsonSchema } from './schema-parts.ts'

/** What cannot be taken back, beside everything that is deleted. */
const destructive = new Set<string>([
  'workflows.forceCancel',
  'secrets.destroyVersion',
  'databases.swap',
  'databases.hibernate',
  'organization.leave',
  'organization.transfer',
  'clusters.startDeletion',
  'clusters.replaceCredentials',
  'databases.failOver',
  'kubernetes.drainNode',
])

const secretFields = /password|passphrase|^value$|^token$|^secret$|privateKey|clientSecret|kubeconfig$/i

/** A command for every endpoint of the table, in the order of what is typed. */
export function commandRows(): EndpointCommand[] {
  return Object.entries(api)
    .map(([name, endpoint]) => rowOf(name as EndpointName, endpoint))
    .toSorted((one, other) => (one.words < other.words ? -1 : 1))
}

function rowOf(name: EndpointName, endpoint: Endpoint): EndpointCommand {
  const body = endpoint.body === undefined ? undefined : openSchema(endpoint.body, 'input')
  const isObject = body?.type === 'object' && body.properties !== undefined
  const reply = endpoint.response instanceof z.ZodType ? openSchema(endpoint.response, 'output') : undefined
  const noun = name.split('.')[0] ?? ''
  const list = reply && listOf(reply, noun)
  const named = namedBy(endpoint.path)
  const isDestructive = endpoint.method === 'DELETE' || destructive.has(name)
  return {
    words: commandWords(name),
    endpoint: name,
    summary: endpoint.summary,
    params: [...endpoint.path.matchAll(/\{(\w+)\}|\*$/g)].map((match) => match[1] ?? '*'),
    ...(named !== undefined && { named }),
    flags: [
      ...(endpoint.query ? flagsOf(openSchema(endpoint.query, 'input'), 'query') : []),
      ...(body && isObject ? flagsOf(body, 'body') : []),
    ],
    ...(body && { body: isObject ? ('object' as const) : ('json' as const) }),
    ...(list && { list: list.name }),
    columns: list ? columnsOf(list.row) : reply ? columnsOf(reply) : [],
    ...(!reply && { isText: true as const }),
    ...(endpoint.operation && {
      waits: endpoint.operation.whileField ? ('reply' as const) : ('run' as const),
    }),
    ...(isDestructive && { isDestructive }),
  }
}

/** The noun of the list at the path before the first parameter. */
function namedBy(path: string): string | undefined {
  const before = path.slice(0, path.indexOf('/{id}'))
  if (!path.includes('/{id}') || before.includes('{')) return undefined
  const found = Object.entries(api).find(
    ([name, endpoint]) => name.endsWith('.list') && endpoint.method === 'GET' && endpoint.path === before,
  )
  return found?.[0].split('.')[0]
}

function flagsOf(schema: JsonSchema, where: Flag['in']): Flag[] {
  const required = new Set(schema.required)
  return Object.entries(schema.properties ?? {}).map(([field, property]) => {
    const { kind, isList, values, help } = kindOf(property, schema)
    return {
      name: kebab(field),
      field,
      in: where,
      kind,
      ...(values && { values }),
      ...(isList && { isList }),
      ...(required.has(field) && { isRequired: true as const }),
      help,
      ...(where === 'body' && kind === 'string' && secretFields.test(field) && { isSecret: true as const }),
    }
  })
}
