import type { Files } from './container-files.ts'

const block = 512

function octal(header: Buffer, at: number, length: number): number {
  const text = header
    .toString('latin1', at, at + length)
    .replaceAll('\0', '')
    .trim()
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : 0
}

function name(header: Buffer, at: number, length: number): string {
  return header.toString('utf8', at, at + length).split('\0')[0] ?? ''
}

/** Unpacks the regular files of a ustar archive below a directory. Paths that climb out of it are left out. */
export function unpack(archive: Buffer, directory: string, files: Files): void {
  for (let at = 0; at + block <= archive.length;) {
    const header = archive.subarray(at, at + block)
    if (header[0] === 0) break
    const size = octal(header, 124, 12)
    const path = [name(header, 345, 155), name(header, 0, 100)].filter((part) => part !== '').join('/')
    const type = String.fromCharCode(header[156] ?? 48)
    const content = archive.subarray(at + block, at + block + size)
    if ((type === '0' || type === '\0') && !path.split('/').includes('..')) {
      files.set(`${directory.replace(/\/$/, '')}/${path.replace(/^\.?\//, '')}`, Buffer.from(content))
    }
    at += block + Math.ceil(size / block) * block
  }
}

function entry(path: string, content: Buffer, timeMs: number): Buffer {
  const header = Buffer.alloc(block)
  header.write(path.slice(0, 100), 0)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(
    `${Math.floor(timeMs / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  )
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  let sum = 0
  for (const byte of header) sum += byte
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, content, Buffer.alloc((block - (content.length % block)) % block)])
}

/** Packs the files at or below a path, named as `tar cf - path` names them. */
export function pack(path: string, files: Files, timeMs: number): Buffer | undefined {
  const found = [...files].filter(([one]) => one === path || one.startsWith(`${path.replace(/\/$/, '')}/`))
  if (found.length === 0) return undefined
  const parts = found.map(([one, content]) => entry(one.replace(/^\//, ''), content, timeMs))
  return Buffer.concat([...parts, Buffer.alloc(block * 2)])
}
