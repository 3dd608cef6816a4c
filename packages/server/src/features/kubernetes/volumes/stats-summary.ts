import type { MeasuredVolume } from '@bey/contract'

/** A claim, as `namespace/name`, and what its volume holds. */
export type MeasuredClaim = { claim: string; volume: MeasuredVolume }

/** `/stats/summary` of a kubelet (k8s.io/kubelet/pkg/apis/stats/v1alpha1), as far as volumes of claims are concerned. */
type Summary = {
  pods?:
    | {
        volume?:
          | {
              pvcRef?: { name?: unknown; namespace?: unknown } | null
              capacityBytes?: unknown
              usedBytes?: unknown
              inodes?: unknown
              inodesUsed?: unknown
            }[]
          | null
      }[]
    | null
}

/** The volumes of claims that a kubelet measured. What it leaves out, as for raw devices, is left out here. */
export function claimsInSummary(answer: unknown): MeasuredClaim[] {
  // Whatever shape a cluster answers in, each part is looked at before it is used.
  const pods = (answer as Summary | null)?.pods
  if (!Array.isArray(pods)) return []
  return pods.flatMap((pod) => {
    const volumes = pod?.volume
    return Array.isArray(volumes) ? volumes.flatMap((volume) => measuredClaim(volume)) : []
  })
}

type SummaryVolume = NonNullable<NonNullable<NonNullable<Summary['pods']>[number]['volume']>[number]>

function measuredClaim(found: SummaryVolume | null): MeasuredClaim[] {
  const reference = found?.pvcRef
  const usedBytes = count(found?.usedBytes)
  const capacityBytes = count(found?.capacityBytes)
  if (typeof reference?.name !== 'string' || typeof reference.namespace !== 'string') return []
  if (usedBytes === null || capacityBytes === null || capacityBytes === 0) return []
  const inodes = count(found?.inodes)
  return [
    {
      claim: `${reference.namespace}/${reference.name}`,
      volume: {
        usedBytes,
        capacityBytes,
        inodes,
        inodesUsed: inodes === null ? null : count(found?.inodesUsed),
      },
    },
  ]
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : null
}
