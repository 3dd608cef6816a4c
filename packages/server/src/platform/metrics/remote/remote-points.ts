import { sql } from 'drizzle-orm'

import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { createAddressGuard } from '../../outbound/address-guard.ts'
import { guardedFetch } from '../../outbound/guarded-fetch.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import type { Batch, PointStore, ReadTenant } from '../points.ts'
import { prometheusClient } from '../prometheus-api/client.ts'
import { httpAsk } from '../prometheus-api/http-ask.ts'
import { labelsKey } from '../promql/values.ts'
import type { ReadRange } from '../read.ts'
import { intArray, type Place } from '../series.ts'
import { floorTo, steps } from '../steps.ts'
import { createSender } from './sender.ts'
import { selectorOf, signatureOf, storedLabels } from './stored-labels.ts'
import { writeRequest } from './write-request.ts'

/** The store of `BEY_METRICS_URL`. */
export type RemoteStore = {
  /** Without a slash at the end; `/api/v1/query_range` follows. */
  url: string
  /** Where samples are sent: `<url>/api/v1/write` by default. */
  writeUrl: string
  token: string | undefined
}

const timeoutMs = 15_000
const maxBytes = 128 * 1024 * 1024

/**
 * Values in a store that takes Prometheus remote write and answers the HTTP API of Prometheus (docs/decisions/030). The
 * operator names it, so it may be at any address.
 */
export function remotePoints(
  database: Pick<Database, 'withTenant'>,
  { url, writeUrl, token }: RemoteStore,
  { clock, log }: { clock: Clock; log: Log },
): PointStore {
  const outbound = createOutbound(createAddressGuard({ kind: 'any' }))
  const authorization = token === undefined ? undefined : `Bearer ${token}`
  const client = prometheusClient(
    'The store of metrics',
    httpAsk(outbound, { url, authorization, caPem: '', timeoutMs, maxBytes }),
  )
  const sender = createSender({
    clock,
    log,
    async post(body) {
      const reply = await guardedFetch(outbound, new URL(writeUrl), {
        method: 'POST',
        headers: {
          'content-encoding': 'snappy',
          'content-type': 'application/x-protobuf',
          'x-prometheus-remote-write-version': '0.1.0',
          'user-agent': 'bey',
          ...(authorization !== undefined && { authorization }),
        },
        body,
        timeoutMs,
        maxBytes: 1024 * 1024,
        caPem: '',
      })
      return { status: reply.status, text: await reply.text() }
    },
  })

  return {
    async write(organizationId, place) {
      const placed = await database.withTenant(organizationId, place)
      const { batch } = placed
      if (batch.values.length > 0) await sender.add(writeRequest(seriesOf(batch)), batch.values.length)
      return placed
    },

    async read(readTenant, organizationId, places, range, { includesMaxima }) {
      const named = await namesOf(readTenant, organizationId, places)
      const count = Math.round((range.toMs - range.fromMs) / range.stepMs)
      const nothing = () => Array.from({ length: count }, (): number | null => null)
      const points = places.map(() => ({ averages: nothing(), maxima: nothing() }))
      for (const together of groupsOf(named)) {
        const wanted = new Map(together.map(({ index, labels }) => [labelsKey(withoutMetric(labels)), index]))
        const selector = selectorOf(together.map(({ labels }) => labels))
        for (const kind of includesMaxima ? (['averages', 'maxima'] as const) : (['averages'] as const)) {
          const operator = kind === 'averages' ? 'avg_over_time' : 'max_over_time'
          const expr = `${operator}(${selector}[${range.stepMs / 1_000}s])`
          // A window ends before the next step begins, whose first sample is not part of it.
          const { series } = await client.queryRange(expr, endsOf(range))
          for (const { labels, values } of series) {
            const index = wanted.get(labelsKey(labels))
            const found = index === undefined ? undefined : points[index]
            if (found) found[kind] = values
          }
        }
      }
      return points
    },
    isRemote: true,
    stop: () => sender.stop(),
  }
}

const endsOf = ({ fromMs, toMs, stepMs }: ReadRange): ReadRange => ({
  fromMs: fromMs + stepMs - 1,
  toMs: toMs + stepMs - 1,
  stepMs,
})

function seriesOf({ organizationId, entity, atMs, values }: Batch) {
  const at = floorTo(atMs, steps.sample.stepMs)
  return values.map(({ value, ...name }) => ({
    labels: storedLabels(organizationId, entity, name),
    atMs: at,
    value,
  }))
}

type Named = { index: number; labels: Record<string, string> }
type Row = {
  block: number
  slot: number
  type: string
  id: string
  metric: string
  labels: Record<string, string>
}

/** The labels in the store of the series at each place. */
async function namesOf(
  readTenant: ReadTenant,
  organizationId: number,
  places: readonly (Place | undefined)[],
): Promise<Named[]> {
  const known = places.flatMap((place, index) => (place ? [{ ...place, index }] : []))
  if (known.length === 0) return []
  const { rows } = await readTenant((db) =>
    db.execute<Row>(sql`
      select s.block, s.slot, s.entity_type as type, s.entity_id as id, s.metric, s.labels
      from unnest(${intArray(known.map(({ block }) => block))}, ${intArray(known.map(({ slot }) => slot))}) a (block, slot)
      join metric_series s on s.organization_id = ${organizationId} and s.block = a.block and s.slot = a.slot`),
  )
  const byPlace = new Map(rows.map((row) => [`${row.block} ${row.slot}`, row]))
  return known.flatMap(({ block, slot, index }) => {
    const row = byPlace.get(`${block} ${slot}`)
    if (row === undefined) return []
    const { type, id, metric, labels } = row
    return [{ index, labels: storedLabels(organizationId, { type, id }, { metric, labels }) }]
  })
}

/** Series that one query reads: of one metric, with the same names of labels. */
const groupsOf = (named: readonly Named[]): Named[][] => [
  ...Map.groupBy(named, ({ labels }) => `${labels['__name__']} ${signatureOf(labels)}`).values(),
]

function withoutMetric(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => name !== '__name__'))
}
