import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { LogRecord } from '@bey/contract'
import { ApiError } from '@bey/client'
import { exitCodes, UsageError } from '../errors.ts'
import { formatOf, printFiltered } from '../output/print.ts'
import type { Session } from '../session.ts'
import type { Call } from './hand-made.ts'
import { clusterOf, objectOf } from './objects.ts'

type Target = { id: number; body: Record<string, unknown> }

/** Where the lines of a container have got to: the time of the last that was printed, and how many of that time were. */
type Position = { at: string; count: number }

/** Streams logs of all pods of an object. A stream that breaks off goes on behind the lines that were printed. */
export async function podLogs({ session, args, values }: Call): Promise<number> {
  const target = await targetOf(session, args, values)
  const isFollowing = values['follow'] === true
  const printed = new Map<string, Position>()
  for (let failures = 0; ; failures += 1) {
    try {
      const hasEnded = await print(session, target, isFollowing, printed, () => (failures = 0))
      if (hasEnded || !isFollowing) return exitCodes.ok
      // A server that stops in order ends its streams without a record that says so.
      throw new Error('The stream ended early.')
    } catch (error) {
      if (session.signal.aborted) return exitCodes.interrupted
      const mayReturn = !(error instanceof ApiError) || error.status === 0 || error.status >= 500
      if (!isFollowing || !mayReturn || failures > 30) throw error
      session.terminal.note('The stream broke off; connecting again …\n')
      await wait(Math.min(10_000, 500 * 2 ** failures), undefined, { signal: session.signal })
    }
  }
}

async function targetOf(session: Session, args: readonly string[], values: Call['values']): Promise<Target> {
  const { resource, name } = objectOf(args[0], 'bey logs deploy/api -n shop')
  const tail = values['tail'] === undefined ? 100 : Number(values['tail'])
  if (!Number.isInteger(tail) || tail < 0) throw new UsageError('--tail takes a whole number.')
  const { container, namespace } = values
  return {
    id: await clusterOf(session, values['cluster']),
    body: {
      namespace: typeof namespace === 'string' ? namespace : 'default',
      resource,
      name,
      tail,
      ...(typeof container === 'string' && { containers: [container] }),
      ...(values['previous'] === true && { previous: 'only' }),
    },
  }
}

/** Prints the lines of one stream that were not printed before. Answers whether the stream came to its own end. */
async function print(
  { client, terminal, signal, flags }: Session,
  { id, body }: Target,
  follow: boolean,
  printed: Map<string, Position>,
  onLines: () => void,
): Promise<boolean> {
  // Containers are merged as their lines arrive: the slowest says from where on lines may be missing.
  const since = [...printed.values()].map(({ at }) => at).toSorted()[0]
  const input = {
    params: { id },
    body: { ...body, follow, ...(since && { sinceTime: since, tail: undefined }) },
  }
  // The server checks what was typed.
  const response = await client.stream('kubernetes.logs', input as never, { signal })
  if (!response.body) return true
  const isNew = newLines(printed)
  const sources = new Map<number, string>()
  const asJson = formatOf(flags) === 'json'
  const stream = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0], { signal })
  for await (const text of createInterface({ input: stream })) {
    if (text === '') continue
    const record = JSON.parse(text) as LogRecord
    if (record.type === 'source') sources.set(record.source, `${record.pod} ${record.container}`)
    if (record.type === 'problem') terminal.note(`${record.message}\n`)
    if (record.type === 'end') return true
    if (record.type !== 'lines') continue
    // Written at once, for a write of each line takes longer than the line.
    let out = ''
    for (const [source, at, line] of record.lines) {
      const from = sources.get(source) ?? ''
      if (!isNew(from, at)) continue
      if (flags.filter) printFiltered(terminal, flags.filter({ at, from, text: line }))
      else out += asJson ? `${JSON.stringify({ at, from, text: line })}\n` : `${from} | ${line}\n`
    }
    if (out !== '') terminal.out(out)
    onLines()
  }
  return false
}

/**
 * Whether a line of a stream was not printed yet; it counts as printed then. `sinceTime` is inclusive, and several lines can
 * have the same time, so that those of the last time are counted.
 */
function newLines(printed: Map<string, Position>) {
  const before = new Map([...printed].map(([from, position]) => [from, { ...position }]))
  return (from: string, at: string): boolean => {
    const known = before.get(from)
    if (known && at < known.at) return false
    if (known && at === known.at && known.count > 0) {
      known.count -= 1
      return false
    }
    const last = printed.get(from)
    printed.set(from, { at, count: last?.at === at ? last.count + 1 : 1 })
    return true
  }
}
