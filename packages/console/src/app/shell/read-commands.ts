import type { CallInput, EndpointName } from '@bey/contract'
import { commandLine, routes } from '@bey/contract'
import type { Query } from '@tanstack/react-query'
import { ongoingRuns } from '../../data/notifications.ts'
import { apiCommand, type PageCommand } from '../../lib/page-commands.ts'

/** Reads of the notification centre and of the notice of a demo, which are on every page. */
const frameReads = [
  commandLine('demo.get', {}),
  commandLine('notifications.unread', {}),
  commandLine('workflows.allRuns', { query: ongoingRuns }),
]

type Input = { params?: Record<string, string>; query?: object; body?: object }

/**
 * What the page on screen reads, as commands: its queries have the path and the parameters of their endpoints as keys. Those
 * that the page has named itself, with better titles, are left out.
 */
export function readCommands(
  queries: readonly Pick<Query, 'queryKey'>[],
  named: readonly PageCommand[],
  organizationId: number,
): PageCommand[] {
  const known = new Set<string | undefined>([...frameReads, ...named.map(({ bey }) => bey)])
  const commands: PageCommand[] = []
  for (const { queryKey } of queries) {
    const read = readOf(queryKey)
    if (read === undefined) continue
    const input = read.input as CallInput<EndpointName>
    const command = apiCommand(titleOf(read.name), read.name, input, organizationId)
    if (known.has(command.bey)) continue
    known.add(command.bey)
    commands.push(command)
  }
  return commands
}

/**
 * The endpoint and the input of a key as `apiKey` makes it. A read whose question is too large for an address is sent by
 * POST, and has its body in the place of the query.
 */
function readOf([path, , asked]: readonly unknown[]): { name: EndpointName; input: Input } | undefined {
  if (typeof path !== 'string') return undefined
  for (const [name, pattern] of patterns()) {
    const found = pattern.exec(path)
    if (found === null) continue
    const isPost = routes[name].method === 'POST'
    const hasInput = typeof asked === 'object' && asked !== null
    // What is sent without a body is no question.
    if (routes[name].isText === true || (isPost && !hasInput)) return undefined
    const params = Object.entries(found.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)])
    return {
      name,
      input: {
        ...(params.length > 0 && { params: Object.fromEntries(params) }),
        ...(hasInput && { [isPost ? 'body' : 'query']: asked }),
      },
    }
  }
  return undefined
}

let known: (readonly [EndpointName, RegExp])[] | undefined

/** Paths that may be read, those with the fewest parameters first: `/workflows/validate` is no workflow called "validate". */
function patterns() {
  known ??= (Object.keys(routes) as EndpointName[])
    .filter((name) => routes[name].method === 'GET' || routes[name].method === 'POST')
    .toSorted(
      (one, other) =>
        parametersIn(one) - parametersIn(other) || routes[one].method.localeCompare(routes[other].method),
    )
    .map((name) => {
      const escaped = routes[name].path.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
      return [name, new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)] as const
    })
  return known
}

const parametersIn = (name: EndpointName) => routes[name].path.split('{').length

/** "List boards", "Read boards", "Read boards: history". */
function titleOf(name: EndpointName): string {
  const [noun = '', action = ''] = name.split('.').map(inWords)
  if (action === 'list') return `List ${noun}`
  return action === 'get' ? `Read ${noun}` : `Read ${noun}: ${action}`
}

const inWords = (text: string) => text.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
