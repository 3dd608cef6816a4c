import { posix } from 'node:path'
import type { ESTree } from 'vite'

/** A module of the build, as far as its imports are read. */
export interface ImportingModule {
  /** As transformed: JavaScript with imports and exports. Null where the build does not keep it. */
  code: string | null
  importedIds: readonly string[]
}

/** Modules that hand on what others export: to import one name of them does not need the rest. */
const isIndex = /packages\/(contract|client)\/src\/index\.ts$|\/lucide-react\.mjs$/
const namesIndex = /@bey\/(contract|client)['"]|lucide-react['"]/

type Parse = (code: string) => ESTree.Program

/**
 * What each module imports, where the names that it imports of an index lead to the modules that declare them, not to
 * all that is behind the index. An import that cannot be followed counts as one of the whole index.
 */
export function namedImports(
  moduleOf: (id: string) => ImportingModule | null,
  parse: Parse,
): (id: string) => readonly string[] {
  const declared = new Map<string, Map<string, string>>()

  /** The names that a module exports, each with the module that declares it. */
  function exportsOf(id: string): Map<string, string> {
    const known = declared.get(id)
    if (known) return known
    const found = new Map<string, string>()
    declared.set(id, found)
    const { code, importedIds = [] } = moduleOf(id) ?? { code: null }
    if (code === null) return found
    const idOf = (source: string) => importedId(id, source, importedIds)
    for (const statement of parse(code).body) {
      if (statement.type === 'ExportAllDeclaration') {
        const from = idOf(statement.source.value)
        if (from && !statement.exported) for (const [name, origin] of exportsOf(from)) found.set(name, origin)
      } else if (statement.type === 'ExportNamedDeclaration') {
        const from = statement.source ? idOf(statement.source.value) : id
        for (const { local, exported } of statement.specifiers) {
          if (from) found.set(textOf(exported), from === id ? id : originOf(from, textOf(local)))
        }
        for (const name of declaredNames(statement.declaration)) found.set(name, id)
      }
    }
    return found
  }
  const originOf = (id: string, name: string) => exportsOf(id).get(name) ?? id

  function read(id: string): readonly string[] {
    const { code, importedIds = [] } = moduleOf(id) ?? { code: null }
    const indexes = importedIds.filter((each) => isIndex.test(each))
    if (indexes.length === 0 || code === null || !namesIndex.test(code)) return importedIds
    const ids = new Set(importedIds)
    for (const index of indexes) {
      const origins = namesOf(parse(code), index)?.map((name) => exportsOf(index).get(name))
      if (!origins || origins.includes(undefined)) continue
      ids.delete(index)
      for (const origin of origins) if (origin) ids.add(origin)
    }
    return [...ids]
  }

  const kept = new Map<string, readonly string[]>()
  return (id) => {
    const known = kept.get(id) ?? read(id)
    kept.set(id, known)
    return known
  }
}

/** The names that a module imports or hands on of an index; null where it takes the whole of it. */
function namesOf({ body }: ESTree.Program, index: string): string[] | null {
  const names: string[] = []
  for (const statement of body) {
    if (
      statement.type !== 'ImportDeclaration' &&
      statement.type !== 'ExportNamedDeclaration' &&
      statement.type !== 'ExportAllDeclaration'
    ) {
      continue
    }
    if (!statement.source || !leadsTo(statement.source.value, index)) continue
    if (statement.type === 'ExportAllDeclaration') return null
    for (const specifier of statement.specifiers) {
      if (specifier.type === 'ImportSpecifier') names.push(textOf(specifier.imported))
      else if (specifier.type === 'ExportSpecifier') names.push(textOf(specifier.local))
      else return null
    }
  }
  return names
}

/** Whether a source such as `@bey/contract` names the index at this path. */
function leadsTo(source: string, index: string): boolean {
  if (source === 'lucide-react') return index.endsWith('/lucide-react.mjs')
  return (
    source.startsWith('@bey/') && index.endsWith(`/packages/${source.slice('@bey/'.length)}/src/index.ts`)
  )
}

function importedId(id: string, source: string, importedIds: readonly string[]): string | undefined {
  const path = posix.resolve(posix.dirname(id), source)
  return importedIds.find((each) => each === path)
}

function textOf(name: ESTree.ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name
}

function declaredNames(declaration: ESTree.Declaration | null): string[] {
  if (!declaration) return []
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  }
  if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') {
    return declaration.id ? [declaration.id.name] : []
  }
  return []
}
