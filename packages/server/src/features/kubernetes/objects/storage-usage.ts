import type { VolumeUsage } from '@bey/contract'
import { nearlyFullShare, volumeShare } from '@bey/contract'
import { boundUsage, claimUsage } from '../volumes/claim-usage.ts'
import type { VolumeMeasurement } from '../volumes/volume-usage.ts'
import type { RowEntry } from '../watch/row-entry.ts'
import type { FetchedObject } from './fetch-object.ts'

/** Reads the usage of rows as a cluster prints them; null for each row of another resource. */
export function usageReader(
  resource: string,
  columns: readonly { name: string }[],
  measurement: VolumeMeasurement | undefined,
): (row: RowEntry) => VolumeUsage | null {
  if (resource === 'persistentvolumeclaims')
    return ({ namespace, name }) => claimUsage(measurement, `${namespace}/${name}`)
  if (resource !== 'persistentvolumes') return () => null
  const place = (name: string) => columns.findIndex((each) => each.name.toLowerCase() === name)
  const [claim, status] = [place('claim'), place('status')]
  return ({ cells }) => {
    const bound = cells[status] === 'Bound' ? cells[claim] : null
    return boundUsage(measurement, typeof bound === 'string' && bound !== '' ? bound : null)
  }
}

/** The usage of one object; null for what is no storage. */
export function objectUsage(
  resource: string,
  object: FetchedObject,
  measurement: VolumeMeasurement | undefined,
): VolumeUsage | null {
  if (resource === 'persistentvolumeclaims')
    return claimUsage(measurement, `${object.metadata?.namespace}/${object.metadata?.name}`)
  if (resource !== 'persistentvolumes') return null
  // Only what stands in a volume is read here, and each part may be missing.
  const { spec, status } = object as {
    spec?: { claimRef?: { namespace?: string; name?: string } }
    status?: { phase?: string }
  }
  const claim = status?.phase === 'Bound' ? spec?.claimRef : undefined
  return boundUsage(measurement, claim ? `${claim.namespace}/${claim.name}` : null)
}

export function isNearlyFull(usage: VolumeUsage | null): boolean {
  return usage?.measured != null && volumeShare(usage.measured) >= nearlyFullShare
}

/** The emptiest first; what is not known comes last in either order. */
export function byUsage(
  a: VolumeUsage | null,
  b: VolumeUsage | null,
  order: 'asc' | 'desc' | undefined,
): number {
  const unknown = order === 'desc' ? -1 : 2
  const share = (usage: VolumeUsage | null) => (usage?.measured ? volumeShare(usage.measured) : unknown)
  return share(a) - share(b)
}
