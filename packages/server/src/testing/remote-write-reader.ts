import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

export type ReceivedSeries = { labels: Record<string, string>; samples: { atMs: number; value: number }[] }

/** The series of a request of Prometheus remote write 1.0: https://prometheus.io/docs/specs/prw/remote_write_spec/ */
export function readWriteRequest(body: Uint8Array): ReceivedSeries[] {
  const reader = new BinaryReader(decompress(body))
  const series: ReceivedSeries[] = []
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag()
    if (field === 1 && type === WireType.LengthDelimited) series.push(readSeries(reader.bytes()))
    else reader.skip(type, field)
  }
  return series
}

function readSeries(bytes: Uint8Array): ReceivedSeries {
  const reader = new BinaryReader(bytes)
  const series: ReceivedSeries = { labels: {}, samples: [] }
  let before = ''
  while (reader.pos < reader.len) {
    const [field] = reader.tag()
    const part = new BinaryReader(reader.bytes())
    if (field === 1) {
      const [name, value] = [(part.tag(), part.string()), (part.tag(), part.string())]
      // Receivers need not sort, so senders must.
      if (name <= before) throw new Error('labels are not sorted')
      before = name
      series.labels[name] = value
    } else {
      const [value, atMs] = [(part.tag(), part.double()), (part.tag(), Number(part.int64()))]
      series.samples.push({ value, atMs })
    }
  }
  return series
}

/** The block format of Snappy: https://github.com/google/snappy/blob/main/format_description.txt */
function decompress(body: Uint8Array): Uint8Array {
  const header = new BinaryReader(body)
  const plain = new Uint8Array(header.uint32())
  let from = header.pos
  let to = 0
  const little = (bytes: number) => {
    let value = 0
    for (let index = 0; index < bytes; index += 1) value += (body[from + index] ?? 0) * 256 ** index
    from += bytes
    return value
  }
  while (from < body.length) {
    const tag = little(1)
    const kind = tag & 3
    if (kind === 0) {
      const code = tag >> 2
      const length = 1 + (code < 60 ? code : little(code - 59))
      plain.set(body.subarray(from, from + length), to)
      from += length
      to += length
      continue
    }
    const length = kind === 1 ? 4 + ((tag >> 2) & 7) : 1 + (tag >> 2)
    const offset = kind === 1 ? (tag >> 5) * 256 + little(1) : little(kind === 2 ? 2 : 4)
    for (let index = 0; index < length; index += 1, to += 1) plain[to] = plain[to - offset] ?? 0
  }
  if (to !== plain.length) throw new Error('the body is shorter than it says')
  return plain
}
