import { hash } from 'node:crypto'

/** Eight sums of 32 bits over the SHA-256 of each row. */
export type RowDigest = {
  add(message: Buffer): void
  rows(): number
  text(): string
}

/** What begins the first message of a binary COPY: signature, flags and the length of an empty extension. */
const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const headBytes = signature.length + 8
/** What ends it: a row of -1 fields. */
const trailer = Buffer.from([0xff, 0xff])

/** A digest of rows that does not depend on their order: a table that is read again may answer them in another one. */
export function rowDigest(): RowDigest {
  const sums = new Uint32Array(8)
  let rows = 0
  return {
    add(message) {
      // Only a message that begins the copy can have it: a row begins with the number of its fields.
      const isFirst = message.subarray(0, signature.length).equals(signature)
      const row = isFirst ? message.subarray(headBytes) : message
      if (row.length === 0 || row.equals(trailer)) return
      const digest = hash('sha256', row, 'buffer')
      // Uint32Array keeps each sum modulo 2^32.
      for (let index = 0; index < 8; index += 1)
        sums[index] = (sums[index] ?? 0) + digest.readUInt32LE(index * 4)
      rows += 1
    },
    rows: () => rows,
    text: () => `${rows}:${Buffer.from(sums.buffer).toString('hex')}`,
  }
}
