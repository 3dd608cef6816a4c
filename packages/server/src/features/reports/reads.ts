import type { EndpointName, HandlerOutput, ParsedInput } from '@bey/contract'
import type { TenantCaller } from '../../platform/http/handlers.ts'

/** Reads of other features that reports are made of: the functions behind the screens that show the same figures. */
type ReadName = Extract<
  EndpointName,
  | 'alerts.history'
  | 'alerts.list'
  | 'apiKeys.list'
  | 'audit.list'
  | 'billing.spend'
  | 'clusters.list'
  | 'databases.list'
  | 'databases.restores.list'
  | 'members.list'
  | 'metrics.query'
  | 'secrets.list'
  | 'workflows.allRuns'
  | 'workflows.runCounts'
>

/** Asks one of them in the name of a person. */
export type Read = <N extends ReadName>(name: N, input: Partial<ParsedInput<N>>) => Promise<HandlerOutput<N>>

export type ReadSource = () => readonly { handlers: object }[]

/** Reads with the rights of `caller`. The features are asked for at each read, for they are composed together with this one. */
export function readerFor(features: ReadSource, caller: TenantCaller): Read {
  return async (name, input) => {
    const handlers = features().find((each) => name in each.handlers)?.handlers
    if (handlers === undefined) throw new Error(`No feature answers ${name}`)
    // The table of features holds each handler under the name of its endpoint.
    const handler = (handlers as Record<string, (request: unknown) => Promise<unknown>>)[name]
    return (await handler?.({ ...input, caller })) as never
  }
}

const pageSize = 100

/** All rows of a list, at most `most`; `isWhole` is false where there are more. */
export async function readAll<Row>(
  most: number,
  readPage: (page: { page: number; limit: number }) => Promise<{ rows: readonly Row[]; total: number }>,
): Promise<{ rows: Row[]; isWhole: boolean }> {
  const rows: Row[] = []
  for (let page = 1; rows.length < most; page += 1) {
    const found = await readPage({ page, limit: pageSize })
    rows.push(...found.rows)
    if (found.rows.length < pageSize) return { rows, isWhole: true }
    if (rows.length >= found.total) return { rows, isWhole: true }
  }
  return { rows: rows.slice(0, most), isWhole: false }
}
