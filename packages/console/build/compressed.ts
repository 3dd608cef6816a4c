import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** Below it a packet carries the file either way. The server's own threshold is the same. */
const minBytes = 1400

/** `best` takes ten times as long as `quick` and gives files that are a tenth smaller. */
type Effort = 'quick' | 'best'
const qualities = { quick: { brotli: 5, gzip: 6 }, best: { brotli: constants.BROTLI_MAX_QUALITY, gzip: 9 } }

/** Writes `.br` and `.gz` beside what compresses: the server then compresses nothing on request. */
export function compressed(): Plugin {
  const effort = process.env['BEY_BUILD_QUICK'] === '1' ? 'quick' : 'best'
  return {
    name: 'bey:compressed',
    apply: 'build',
    writeBundle: { order: 'post', sequential: true, handler: ({ dir = '' }) => compressFiles(dir, effort) },
  }
}

/** Compresses all files of a folder; those that are compressed already are replaced, each at once. */
export async function compressFiles(dir: string, effort: Effort): Promise<void> {
  const names = await readdir(dir, { recursive: true })
  const compressible = names.filter((name) => /\.(js|css|html|svg|json)$/.test(name))
  await Promise.all(compressible.map((name) => compress(join(dir, name), qualities[effort])))
}

async function compress(path: string, quality: { brotli: number; gzip: number }): Promise<void> {
  const content = await readFile(path)
  if (content.length < minBytes) return
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality.brotli,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  await Promise.all([
    replace(`${path}.br`, await promisify(brotliCompress)(content, { params })),
    replace(`${path}.gz`, await promisify(gzip)(content, { level: quality.gzip })),
  ])
}

async function replace(path: string, content: Buffer): Promise<void> {
  await writeFile(`${path}.new`, content)
  await rename(`${path}.new`, path)
}
