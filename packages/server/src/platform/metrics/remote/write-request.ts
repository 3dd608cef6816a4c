import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

export type SentSeries = { labels: Readonly<Record<string, string>>; atMs: number; value: number }

/**
 * The body of a request of Prometheus remote write 1.0, with one sample a series:
 * https://prometheus.io/docs/specs/prw/remote_write_spec/
 */
export function writeRequest(series: readonly SentSeries[]): Buffer {
  const writer = new BinaryWriter()
  for (const { labels, atMs, value } of series) {
    writer.tag(1, WireType.LengthDelimited).fork()
    for (const [name, text] of Object.entries(labels).toSorted(byName)) {
      writer.tag(1, WireType.LengthDelimited).fork()
      writer.tag(1, WireType.LengthDelimited).string(name)
      writer.tag(2, WireType.LengthDelimited).string(text).join()
    }
    writer.tag(2, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.Bit64).double(value)
    writer.tag(2, WireType.Varint).int64(atMs).join()
    writer.join()
  }
  return snappyBlock(writer.finish())
}

/** Labels are sorted by the bytes of their names, which are ASCII. */
const byName = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : 1)

const maxLiteral = 65_536

/**
 * Bytes in the block format of Snappy, as literals alone: valid, and not compressed. See docs/decisions/030 for why.
 * https://github.com/google/snappy/blob/main/format_description.txt
 */
function snappyBlock(bytes: Uint8Array): Buffer {
  const parts: Uint8Array[] = [new BinaryWriter().uint32(bytes.length).finish()]
  for (let from = 0; from < bytes.length; from += maxLiteral) {
    const literal = bytes.subarray(from, from + maxLiteral)
    const rest = literal.length - 1
    // Tag 61: the length less one follows in two bytes, the lower one first.
    parts.push(Uint8Array.of(61 << 2, rest & 255, rest >> 8), literal)
  }
  return Buffer.concat(parts)
}
