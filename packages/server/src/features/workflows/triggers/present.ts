import type { Buffer } from 'node:buffer'
import { type Trigger, triggerEventNames, triggerEventTable } from '@bey/contract'

import { presentActor } from '../../../platform/present-actor.ts'
import { previewSchedule } from './schedule.ts'
import type { listArrivals, TriggerRow } from './store.ts'

export function presentTrigger(row: TriggerRow, now: Date): Trigger {
  const { settings } = row
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    settings,
    isEnabled: row.isEnabled,
    hookPath: row.type === 'webhook' ? `/api/hooks/${row.id}` : null,
    ...summaryOf(settings, now),
    lastFiredAt: row.lastFiredAt?.toISOString() ?? null,
    lastRunId: row.lastRunId,
    lastError: row.lastError,
    createdAt: row.createdAt.toISOString(),
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
  }
}

function summaryOf(settings: TriggerRow['settings'], now: Date): Pick<Trigger, 'summary' | 'nextTimes'> {
  if (settings.type === 'webhook') {
    const how = settings.authentication === 'hmac' ? 'signed requests' : 'requests with its token'
    return { summary: `Receives ${how}`, nextTimes: [] }
  }
  if (settings.type === 'event') return { summary: eventSummary(settings.event), nextTimes: [] }
  const { summary, nextTimes } = previewSchedule(settings.cron, settings.time_zone, now)
  return { summary, nextTimes: nextTimes.map((time) => time.toISOString()) }
}

export function presentArrival(row: Awaited<ReturnType<typeof listArrivals>>[number]) {
  return { ...row, at: row.at.toISOString() }
}

/** A secret as Standard Webhooks writes it. */
export function secretText(bytes: Buffer): string {
  return `whsec_${bytes.toString('base64')}`
}

/** "When a run ends"; the name itself of an event that this server does not know. */
function eventSummary(event: string): string {
  const known = triggerEventNames.find((name) => name === event)
  if (known === undefined) return `When ${event} happens`
  const { label } = triggerEventTable[known]
  return `When ${label.charAt(0).toLowerCase()}${label.slice(1)}`
}
