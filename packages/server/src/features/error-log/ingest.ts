import type { ErrorEntry } from '@bey/contract'
import { act, serverItself, type Who } from '../../platform/act.ts'
import type { Db } from '../../platform/db/database.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { createAllowance } from './allowance.ts'
import { culpritOf, fingerprintOf } from './fingerprint.ts'
import { recordSighting, recordSurplus, type RecordedSighting, type Sighting } from './ingest-store.ts'
import { type ErrorLogParts, publishErrors } from './parts.ts'
import { type Report, reportOf } from './report.ts'
import type { SourceMaps } from './source-maps.ts'
import { parseStack } from './stack.ts'

/** Occurrences that an organization may have kept within a minute; more are only counted. */
const keptPerMinute = 300
/** Frames from the top that are traced to distinguish errors. */
const framesTraced = 12

/** A sighting with the positions of its reports in the call. */
type Found = Sighting & { reports: Report[]; indexes: number[] }

/** Groups, counts and keeps what consoles report; answers for each entry the error that it was counted to. */
export function createIngest(parts: ErrorLogParts) {
  const allowance = createAllowance(keptPerMinute, parts.clock)
  return async function ingest(entries: readonly ErrorEntry[], who: Who): Promise<{ errorIds: string[] }> {
    const { organizationId } = who
    const sightings = new Map<string, Found>()
    const allowed = allowance.take(organizationId, entries.length)
    for (const [index, entry] of entries.entries()) {
      const report = reportOf(entry, who.userAgent ?? '')
      const location = await locate(parts.sourceMaps, report)
      const key = location.fingerprint.toString('hex')
      const sighting = sightings.get(key) ?? { ...location, reports: [], indexes: [], keep: 0 }
      sighting.reports.push(report)
      sighting.indexes.push(index)
      if (index < allowed) sighting.keep += 1
      sightings.set(key, sighting)
    }
    const errorIds: string[] = []
    return parts.database.withTenant(organizationId, async (db) => {
      const by = { userId: who.user.id, at: parts.clock.now() }
      const regressed: RecordedSighting[] = []
      const surplus: Found[] = []
      const collect = (recordedSighting: RecordedSighting, of: readonly Found[]) => {
        for (const index of of.flatMap(({ indexes }) => indexes)) errorIds[index] = recordedSighting.groupId
        if (recordedSighting.isRegression) regressed.push(recordedSighting)
      }
      for (const [, sighting] of [...sightings].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        const recordedSighting = await recordSighting(db, organizationId, sighting, by)
        if (recordedSighting === undefined) surplus.push(sighting)
        else collect(recordedSighting, [sighting])
      }
      if (surplus.length > 0) collect(await recordSurplus(db, organizationId, surplus, by), surplus)
      await publishErrors(parts, db, organizationId)
      // An entry holds the audit trail until the end, so it comes after all other locks: no deadlock.
      for (const recordedSighting of regressed) await auditRegression(db, organizationId, recordedSighting)
      return keepReply(db, { errorIds })
    })
  }
}

async function locate(sourceMaps: SourceMaps, report: Report) {
  const frames = parseStack(report.stack || report.componentStack).slice(0, framesTraced)
  const traced = await sourceMaps.resolve(frames, { withExcerpts: false })
  return { fingerprint: fingerprintOf(report.message, traced), culprit: culpritOf(traced) }
}

async function auditRegression(db: Db, organizationId: number, group: RecordedSighting): Promise<void> {
  await act(db, serverItself(organizationId), {
    action: 'error.regress',
    class: 'update',
    target: { type: 'error', id: group.groupId, name: group.message.slice(0, 200) },
    diff: { status: ['resolved', 'open'] },
  })
}
