/**
 * Bytes of an open file that are read where they are needed: in the thread that compresses them. What the file no longer has
 * is read as zeros.
 */
export type FileRange = {
  fd: number
  position: number
  length: number
  /** Called once when the bytes were read or could not be; never where the reader gave up. */
  release(): void
}

/**
 * A part of an archive. At a `barrier` the reader reads all ranges before it, whether or not it waits for the next part: the
 * source does not go on earlier.
 */
export type ArchivePart = Uint8Array | FileRange | 'barrier'

/** Parts of an archive without those that tell the reader when to read. */
export type ContentPart = Exclude<ArchivePart, 'barrier'>

export function lengthOf(parts: readonly ContentPart[]): number {
  return parts.reduce((total, { length }) => total + length, 0)
}
