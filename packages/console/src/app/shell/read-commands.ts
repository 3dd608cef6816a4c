import type { CallInput, EndpointName } from '@bey/contract'
import { commandLine, routes } from '@bey/contract'
import type { Query } from '@tanstack/react-query'
import { ongoingRuns } from '../../data/notifications.ts'
import { apiCommand, type PageCommand } from '../../lib/page-commands.ts'

/** Reads of the notification centre, which is on every page. */
const frameReads = [
  commandLine('notifications.unread', {}),
  commandLine('workflows.allRuns', { query: ongoingRuns }),
]

type Input = { params?: Record<string, string>; query?: object }

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

/** The endpoint and the input of a key as `apiKey` makes it. */
function readOf([path, , query]: readonly unknown[]): { name: EndpointName; input: Input } | undefined {
  if (typeof path !== 'string') return undefined
  for (const [name, pattern] of patterns()) {
    const found = pattern.exec(path)
    if (found === null) continue
    const decoded = Object.entries(found.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)])
    return {
      name,
      input: {
        ...(decoded.length > 0 && { params: Object.fromEntries(decoded) }),
        ...(typeof query === 'object' && query !== null && { query }),
      },
    }
  }
  return undefined
}

let known: (readonly [EndpointName, RegExp])[] | undefined

/** Paths of all reads, those without parameters first: `/runs/active` is no run called "active". */
function patterns() {
  known ??= (Object.keys(routes) as EndpointName[])
    .filter((name) => routes[name].method === 'GET' && routes[name].isText !== true)
    .toSorted((one, other) => parametersIn(one) - parametersIn(other))
    .map((name) => {
      const escaped = routes[name].path.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
      return [name, new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)] as const
    })
  return known
}

const parametersIn = (name: EndpointName) => routes[name].path.split('{').length

/** "List boards", "Read one of boards", "Read boards: history". */
function titleOf(name: EndpointName): string {
  const [noun = '', action = ''] = name.split('.').map(inWords)
  if (action === 'list') return `List ${noun}`
  return action === 'get' ? `Read one of ${noun}` : `Read ${noun}: ${action}`
}

const inWords = (text: string) => text.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
