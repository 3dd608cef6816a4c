import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { Binaries } from '../../platform/db/embedded/binaries.ts'

const suffix = '.control'

/** Extensions that the binaries bring, from their control files, by name. */
export async function readExtensions({
  postgres,
}: Pick<Binaries, 'postgres'>): Promise<{ name: string; about: string }[]> {
  const dir = join(dirname(dirname(postgres)), 'share', 'postgresql', 'extension')
  const files = (await readdir(dir)).filter((file) => file.endsWith(suffix)).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(dir, file), 'utf8')
      const [, about = ''] = /^comment\s*=\s*'(.*)'\s*$/m.exec(text) ?? []
      return { name: file.slice(0, -suffix.length), about: about.replaceAll("''", "'") }
    }),
  )
}
