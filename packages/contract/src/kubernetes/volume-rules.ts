/** From this share on a volume is named as nearly full: what fills it needs time to be made room for. */
export const nearlyFullShare = 0.9
/** From this share on the next writes may fail. */
export const fullShare = 0.98

export type MeasuredVolume = {
  usedBytes: number
  capacityBytes: number
  /** Null where the file system does not count them. */
  inodesUsed: number | null
  inodes: number | null
}

/** The share of a volume that is used up, 0 to 1: of its bytes or of its inodes, whichever is scarcer. */
export function volumeShare({ usedBytes, capacityBytes, inodesUsed, inodes }: MeasuredVolume): number {
  const ofBytes = capacityBytes > 0 ? usedBytes / capacityBytes : 0
  const ofInodes = inodes !== null && inodes > 0 ? (inodesUsed ?? 0) / inodes : 0
  return Math.min(1, Math.max(ofBytes, ofInodes))
}

/** "93%", rounded down: what is not full never reads as 100 %. */
export function sharePercent(share: number): string {
  return `${Math.floor(share * 100)}%`
}

/** Whether nodes measure what is used inside objects of a resource: claims, and the volumes bound to them. */
export function isMeasuredStorage(resource: string): boolean {
  return resource === 'persistentvolumeclaims' || resource === 'persistentvolumes'
}
