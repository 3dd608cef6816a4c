import type { VolumeUsage } from '@bey/contract'
import type { VolumeMeasurement } from './volume-usage.ts'

/** What the volume of a claim, as `namespace/name`, holds, or why that is not known. */
export function claimUsage(measurement: VolumeMeasurement | undefined, claim: string): VolumeUsage {
  const found = measurement?.volumes.get(claim)
  if (!measurement || !found) return { measured: null, unknownReason: unknownReason(measurement, claim) }
  const { usedBytes, capacityBytes, inodesUsed, inodes, measuredAtMs } = found
  const at = new Date(measuredAtMs).toISOString()
  return { measured: { usedBytes, capacityBytes, inodesUsed, inodes, at }, unknownReason: null }
}

/** The usage of a volume is that of the claim that it is bound to; `claim` is null where there is none. */
export function boundUsage(measurement: VolumeMeasurement | undefined, claim: string | null): VolumeUsage {
  return claim === null
    ? { measured: null, unknownReason: 'No claim is bound to it, so no node measures it.' }
    : claimUsage(measurement, claim)
}

function unknownReason(measurement: VolumeMeasurement | undefined, claim: string): string {
  if (!measurement) return 'Its node has not answered yet.'
  if (measurement.failure !== null) return measurement.failure
  const nodes = measurement.mounts.get(claim)
  if (!nodes) return 'No running pod mounts it, so no node measures it.'
  const silent = nodes.find((node) => measurement.silentNodes.has(node))
  return silent === undefined
    ? 'Its node reports no figures of it: its storage driver measures nothing, or it was mounted a moment ago.'
    : `The node ${silent} gives no figures: ${measurement.silentNodes.get(silent)}.`
}
