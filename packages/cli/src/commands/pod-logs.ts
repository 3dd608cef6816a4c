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

/** Streams logs of all pods of an object. A stream that breaks off goes on from the last line that was printed. */
export async function podLogs({ session, args, values }: Call): Promise<number> {
  const target = await targetOf(session, args, values)
  const isFollowing = values['follow'] === true
  let lastAt: string | undefined
  for (let failures = 0; ; failures += 1) {
    try {
      for await (const at of print(session, target, isFollowing, lastAt)) {
        lastAt = at
        failures = 0
      }
      return exitCodes.ok
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

/** Prints lines, and answers the time of each as soon as it is printed. */
async function* print(session: Session, { id, body }: Target, follow: boolean, since: string | undefined) {
  const { client, terminal, signal, flags } = session
  const input = {
    params: { id },
    body: { ...body, follow, ...(since && { sinceTime: since, tail: undefined }) },
  }
  // The server checks what was typed.
  const response = await client.stream('kubernetes.logs', input as never, { signal })
  if (!response.body) return
  const sources = new Map<number, string>()
  const asJson = formatOf(flags) === 'json'
  const stream = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0], { signal })
  for await (const text of createInterface({ input: stream })) {
    if (text === '') continue
    const record = JSON.parse(text) as LogRecord
    if (record.type === 'source') sources.set(record.source, `${record.pod} ${record.container}`)
    if (record.type === 'problem') terminal.note(`${record.message}\n`)
    if (record.type !== 'lines') continue
    for (const [source, at, line] of record.lines) {
      // `sinceTime` is inclusive: what was printed already is not printed again.
      if (since !== undefined && at <= since) continue
      const from = sources.get(source) ?? ''
      if (flags.filter) printFiltered(terminal, flags.filter({ at, from, text: line }))
      else terminal.out(asJson ? `${JSON.stringify({ at, from, text: line })}\n` : `${from} | ${line}\n`)
      yield at
    }
  }
}
