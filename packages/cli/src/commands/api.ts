import { readFileSync } from 'node:fs'
import { ApiError, newIdempotencyKey } from '@bey/client'
import { exitCodes, UsageError } from '../errors.ts'
import { formatOf, printReply } from '../output/print.ts'
import type { Call } from './hand-made.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Sends one request as it is; a reply that is no success goes to standard error, with its exit code. */
export async function callApi({ session, args }: Call): Promise<number> {
  const [method = '', path = ''] = args.length === 1 ? ['GET', args[0]] : args
  if (!methods.includes(method.toUpperCase()) || !path.startsWith('/'))
    throw new UsageError('Name a method and a path, like bey api GET /api/kubernetes/clusters')
  const { target, flags, terminal, signal } = session
  const url = new URL(path, target.url)
  if (url.origin !== target.url) throw new UsageError('The path leads to another server.')
  const body =
    flags.input === undefined
      ? undefined
      : flags.input === '-'
        ? await terminal.readInput()
        : readFileSync(flags.input, 'utf8')
  const response = await session
    .fetch(url, {
      method: method.toUpperCase(),
      headers: {
        accept: 'application/json, */*;q=0.5',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(target.token !== undefined && { authorization: `Bearer ${target.token}` }),
        ...(target.organizationId !== undefined && { 'x-organization-id': String(target.organizationId) }),
        ...(method.toUpperCase() === 'POST' && { 'idempotency-key': newIdempotencyKey() }),
      },
      body: body ?? null,
      signal,
    })
    .catch((cause: unknown) => {
      throw new ApiError({
        kind: signal.aborted ? 'aborted' : 'network',
        status: 0,
        statusText: 'Network error',
        cause,
      })
    })
  const text = await response.text()
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
  if (!response.ok) {
    const problem = isJson ? (JSON.parse(text) as { detail?: string }) : undefined
    throw new ApiError({
      kind: 'problem',
      status: response.status,
      statusText: response.statusText,
      problem,
      detail: text.slice(0, 300),
      requestId: response.headers.get('x-request-id') ?? undefined,
    })
  }
  const wantsJson = formatOf(flags) !== 'table'
  if (!isJson && !wantsJson) terminal.out(text.endsWith('\n') || text === '' ? text : `${text}\n`)
  else if (isJson)
    printReply(terminal, JSON.parse(text), { ...flags, ...(!wantsJson && { json: '' }) }, { columns: [] })
  else printReply(terminal, text === '' ? null : { text }, flags, { columns: [] })
  return exitCodes.ok
}
