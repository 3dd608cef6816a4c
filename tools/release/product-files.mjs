// What of the repository is part of the product that others run.
import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Packages that the server is made of; the console and the command line are there as they were built. */
export const serverPackages = ['contract', 'client', 'sandbox', 'server']

const alone = /^(?:LICENSE|[A-Z]+\.md|docs\/[^/]+\.md|package(?:-lock)?\.json)$/
const parts = ['src', 'migrations', 'generated']

/** The files of a repository that belong to the product, named from its root. */
export function productFiles(root) {
  const folders = [
    'docs',
    ...serverPackages.flatMap((name) => parts.map((part) => `packages/${name}/${part}`)),
  ]
  const within = folders.flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
      : [],
  )
  const manifests = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`)
  return [...readdirSync(root), ...manifests, ...within].filter(isProductFile)
}

/** Whether a file of the repository, named from its root, belongs to the product as it is. */
export function isProductFile(path) {
  if (alone.test(path)) return true
  const [top, name, part] = path.split('/')
  if (top !== 'packages') return false
  if (part === 'package.json') return true
  if (!serverPackages.includes(name)) return false
  if (/\.test\.tsx?$|\/testing\/|\/sweep\.ts$/.test(path)) return false
  return parts.includes(part)
}

/** Whether a file of a package of npm is read by nobody who runs it: types, source maps and texts, but no licence. */
export function isUnread(name) {
  return /\.(?:d\.[cm]?ts|map|md|markdown|tsbuildinfo)$/i.test(name) && !/licen[cs]e|notice/i.test(name)
}
