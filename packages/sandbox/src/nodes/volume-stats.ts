import type { Cluster } from '../api/context.ts'
import { stamp } from '../clock.ts'
import type { JsonObject } from '../json.ts'
import { parseQuantity, quantity } from '../quantity.ts'
import { claims, nodes, volumes, type Pod, type PersistentVolumeClaim } from '../types.ts'
import { filesInVolume } from './container-files.ts'

type Volume = NonNullable<Pod['spec']['volumes']>[number]

const mebibyte = 2 ** 20
const blockBytes = 4096
/** What a file system that holds nothing takes for itself. */
const tablesBytes = 24 * 1024
/** mke2fs makes one inode for so many bytes. */
const bytesPerInode = 16_384
/** lost+found and the reserved ones. */
const ownInodes = 11

/** What programs write into an empty volume before they serve anybody. */
const firstData: readonly { image: RegExp; bytes: number; files: number }[] = [
  { image: /(^|\/)(postgres|postgresql|postgis|cloudnative-pg)\b/, bytes: 39 * mebibyte, files: 968 },
  { image: /(^|\/)(mysql|mariadb|percona)\b/, bytes: 190 * mebibyte, files: 214 },
  { image: /(^|\/)mongo\b/, bytes: 301 * mebibyte, files: 62 },
  { image: /(^|\/)(elasticsearch|opensearch)\b/, bytes: 12 * mebibyte, files: 140 },
  { image: /(^|\/)(redis|valkey|rabbitmq|minio|prometheus)\b/, bytes: mebibyte, files: 18 },
]

/**
 * The volumes of a pod as the kubelet measures them for `/stats/summary`: claims and empty directories. What they hold
 * is the files in them, what their program writes at first, and the data that a claim says it has:
 * `sandbox.bey/used: 9Gi`.
 */
export function volumeStats(cluster: Cluster, pod: Pod, nowMs: number): JsonObject[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => {
    const claimName =
      volume.persistentVolumeClaim?.claimName ??
      (volume.ephemeral ? `${pod.metadata.name}-${volume.name}` : undefined)
    if (claimName === undefined && !volume.emptyDir) return []
    const claim =
      claimName === undefined ? undefined : cluster.store.get(claims, pod.metadata.namespace, claimName)
    // A raw device has no file system to look into.
    if (claimName !== undefined && (!claim || claim.spec.volumeMode === 'Block')) return []
    const capacityBytes = claim ? claimedBytes(cluster, claim) : diskBytes(cluster, pod)
    if (capacityBytes === 0) return []
    const held = heldIn(cluster, pod, volume, claim)
    const usedBytes = Math.min(capacityBytes, held.bytes)
    const inodes = Math.floor(capacityBytes / bytesPerInode)
    const inodesUsed = Math.min(inodes, held.files)
    return [
      {
        time: stamp(nowMs),
        name: volume.name,
        ...(claim && { pvcRef: { name: claim.metadata.name, namespace: claim.metadata.namespace } }),
        capacityBytes,
        usedBytes,
        availableBytes: capacityBytes - usedBytes,
        inodes,
        inodesUsed,
        inodesFree: inodes - inodesUsed,
      },
    ]
  })
}

function claimedBytes({ store }: Cluster, claim: PersistentVolumeClaim): number {
  const volume = store.get(volumes, undefined, claim.spec.volumeName ?? '')
  return quantity(volume?.spec.capacity?.['storage'])
}

function diskBytes({ store }: Cluster, pod: Pod): number {
  const node = store.get(nodes, undefined, pod.spec.nodeName ?? '')
  return quantity(node?.status?.capacity?.['ephemeral-storage'])
}

function heldIn(
  cluster: Cluster,
  pod: Pod,
  volume: Volume,
  claim: PersistentVolumeClaim | undefined,
): { bytes: number; files: number } {
  const held = { bytes: tablesBytes, files: ownInodes }
  for (const content of filesInVolume(cluster, pod, volume.name)?.values() ?? []) {
    held.bytes += Math.ceil(content.length / blockBytes) * blockBytes
    held.files += 1
  }
  const own = claim?.metadata.annotations?.['sandbox.bey/used']
  held.bytes += Math.max(0, Math.round(parseQuantity(own) ?? 0))
  const users = pod.spec.containers.filter(({ volumeMounts }) =>
    volumeMounts?.some(({ name }) => name === volume.name),
  )
  const program = claim && firstData.find(({ image }) => users.some((user) => image.test(user.image ?? '')))
  if (program) {
    held.bytes += program.bytes
    held.files += program.files
  }
  return held
}
