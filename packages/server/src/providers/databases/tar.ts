/** An entry of a tar without its content. */
export type TarEntry = {
  name: string
  sizeBytes: number
  isDirectory: boolean
  mode: number
  modifiedAt: Date
}

const blockBytes = 512
/** Two empty blocks end an archive. */
export const tarEnd = Buffer.alloc(2 * blockBytes)

/** The header of an entry (POSIX.1-1988 ustar; names of more than 100 bytes as GNU tar writes them). */
export function tarHeader(entry: TarEntry): Buffer {
  const name = entry.isDirectory ? `${entry.name}/` : entry.name
  const bytes = Buffer.from(name)
  if (bytes.length <= 100) return ustarHeader(bytes, entry, entry.isDirectory ? '5' : '0')
  const long = Buffer.concat([bytes, Buffer.alloc(1)])
  const link = { ...entry, sizeBytes: long.length }
  return Buffer.concat([
    ustarHeader(Buffer.from('././@LongLink'), link, 'L'),
    long,
    tarPadding(long.length),
    ustarHeader(bytes.subarray(0, 100), entry, entry.isDirectory ? '5' : '0'),
  ])
}

/** What follows a content of this size up to the next block. */
export function tarPadding(sizeBytes: number): Buffer {
  return Buffer.alloc((blockBytes - (sizeBytes % blockBytes)) % blockBytes)
}

function ustarHeader(name: Buffer, { sizeBytes, mode, modifiedAt }: TarEntry, type: string): Buffer {
  const header = Buffer.alloc(blockBytes)
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`
  name.copy(header, 0)
  header.write(octal(mode & 0o7777, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(sizeBytes, 12), 124)
  header.write(octal(Math.max(0, Math.floor(modifiedAt.getTime() / 1000)), 12), 136)
  header.write('        ', 148)
  header.write(type, 156)
  header.write('ustar\0' + '00', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** What is read is no tar, or ends before its end. */
export class TarError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TarError'
  }
}

/**
 * Reads an archive entry by entry: `take` gets each with its content, which it reads to its end. Throws TarError for an
 * archive that was cut off or changed, and for names that lead out of the directory.
 */
export async function readTar(
  source: AsyncIterable<Uint8Array>,
  take: (entry: TarEntry, content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const reader = blockReader(source)
  let longName: string | undefined
  for (;;) {
    const header = await reader.exactly(blockBytes)
    if (header.every((byte) => byte === 0)) break
    const { entry, type } = parseHeader(header)
    if (type === 'L') {
      const text = (await reader.exactly(entry.sizeBytes)).toString()
      await reader.exactly(tarPadding(entry.sizeBytes).length)
      longName = text.replace(/\0.*$/s, '')
      continue
    }
    const name = safeName(longName ?? entry.name)
    longName = undefined
    await take({ ...entry, name }, reader.content(entry.sizeBytes))
    await reader.exactly(tarPadding(entry.sizeBytes).length)
  }
  // What stores check at the end of a stream is only checked when it is read to its end.
  await reader.drain()
}

function parseHeader(header: Buffer): { entry: TarEntry; type: string } {
  const text = (from: number, length: number) =>
    header
      .subarray(from, from + length)
      .toString()
      .replace(/\0.*$/s, '')
      .trim()
  const number = (from: number, length: number) => Number.parseInt(text(from, length) || '0', 8)
  const expected = number(148, 8)
  const blank = Buffer.from(header)
  blank.fill(' ', 148, 156)
  if (blank.reduce((total, byte) => total + byte, 0) !== expected) throw new TarError('A header is damaged')
  const type = text(156, 1)
  return {
    type,
    entry: {
      name: text(0, 100),
      sizeBytes: number(124, 12),
      isDirectory: type === '5',
      mode: number(100, 8),
      modifiedAt: new Date(number(136, 12) * 1000),
    },
  }
}

function safeName(name: string): string {
  const plain = name.replace(/^\.\//, '').replace(/\/$/, '')
  if (plain.startsWith('/') || plain.split('/').includes('..')) {
    throw new TarError(`The name "${plain}" leads out of the directory`)
  }
  return plain
}

/** Takes pieces of a stream in sizes of one's own. */
function blockReader(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function more(): Promise<boolean> {
    const { done, value } = await iterator.next()
    if (done === true) return false
    rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    return true
  }

  async function* content(length: number): AsyncGenerator<Buffer> {
    let left = length
    while (left > 0) {
      if (rest.length === 0 && !(await more())) throw new TarError('The archive ends too early')
      const piece = rest.subarray(0, left)
      rest = rest.subarray(piece.length)
      left -= piece.length
      if (piece.length > 0) yield piece
    }
  }

  return {
    content,
    async exactly(length: number): Promise<Buffer> {
      const pieces: Buffer[] = []
      for await (const piece of content(length)) pieces.push(piece)
      return pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces)
    },
    async drain(): Promise<void> {
      while (await more());
    },
  }
}
