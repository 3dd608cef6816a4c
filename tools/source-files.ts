import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')

export type Import = { specifier: string; isTypeOnly: boolean; isLazy: boolean }
export type SourceFile = { path: string; lines: number; text: string; imports: Import[] }

const skipped = new Set(['node_modules', 'dist', 'migrations', 'generated', 'data', 'public', '.git'])

/** Every TypeScript file of the repository, with paths relative to its root. */
export function sourceFiles(): SourceFile[] {
  return ['packages', 'tools', 'e2e', 'bench'].flatMap((folder) => walk(join(root, folder))).map(readSource)
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return walk(path)
    return /\.tsx?$/.test(entry.name) ? [path] : []
  })
}

function readSource(path: string): SourceFile {
  const text = readFileSync(path, 'utf8')
  return { path: relative(root, path), lines: text.split('\n').length - 1, text, imports: importsOf(text) }
}

const statement = /^(?:import|export)\s+(type\s+)?([^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm
const dynamic = /import\(\s*['"]([^'"]+)['"]\s*\)/g

function importsOf(text: string): Import[] {
  const fixed = [...text.matchAll(statement)].map((match) => ({
    specifier: match[3] ?? '',
    isTypeOnly: match[1] !== undefined || namesOnlyTypes(match[2]),
    isLazy: false,
  }))
  const lazy = [...text.matchAll(dynamic)].map((match) => ({
    specifier: match[1] ?? '',
    isTypeOnly: false,
    isLazy: true,
  }))
  return [...fixed, ...lazy]
}

function namesOnlyTypes(clause: string | undefined): boolean {
  const names = clause?.match(/^\{([^}]*)\}\s+from\s+$/)?.[1]
  if (names === undefined) return false
  return names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .every((name) => name.startsWith('type '))
}

/** The file of the repository that an import names, or undefined for what comes from npm or Node. */
export function resolveImport(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier))
  const workspace = specifier.match(/^@bey\/([a-z]+)(?:\/(.+))?$/)
  return workspace ? `packages/${workspace[1]}/src/${workspace[2] ?? 'index'}.ts` : undefined
}
