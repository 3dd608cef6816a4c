// Plain JavaScript: runs on whatever Node the machine has, before anything is installed.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The lock file with the address of each package in one registry. The committed lock file has none, so that every registry
 * serves; but npm then asks the registry for the list of all versions of each package, which is as much to download as the
 * packages themselves. The contents stay pinned by their checksums.
 */
export function withAddresses(lock, registry) {
  const base = registry.replace(/\/*$/, '')
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    const parts = path.split('node_modules/')
    if (parts.length < 2 || entry.link || entry.resolved || !entry.integrity) return [path, entry]
    const name = entry.name ?? parts.at(-1)
    const file = `${name.split('/').at(-1)}-${entry.version}.tgz`
    return [path, { ...entry, resolved: `${base}/${name}/-/${file}` }]
  })
  return { ...lock, packages: Object.fromEntries(packages) }
}

/** Runs `work` while npm reads `lock` instead of the committed lock file. */
export async function withLock(root, lock, work) {
  const path = join(root, 'npm-shrinkwrap.json')
  const remove = () => rmSync(path, { force: true })
  const stop = () => {
    remove()
    process.exit(130)
  }
  writeFileSync(path, JSON.stringify(lock))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await work()
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    remove()
  }
}
