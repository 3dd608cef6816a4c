import type { SourceFile } from './source-files.ts'

/** Names of an organization's tables, as code and as SQL write them. */
export function tenantTables(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('packages/server/src/tables/'))
    .flatMap(({ text }) =>
      [...text.matchAll(/^export const (\w+) = pgTable\(\s*'(\w+)',([\s\S]*?)^\)/gm)]
        .filter(([, , , columns = '']) => columns.includes('organizationId'))
        .flatMap(([, name = '', sqlName = '']) => [name, sqlName]),
    )
}

const exportedFunction = /^export (?:async )?function (\w+)[\s\S]*?^}$/gm
/** By its id, or through a condition of the store that does. */
const namesOrganization = /organization_?id|\b(?:byId|heldBy)\(|recipient|ownedBy/i
const changesOrReads = /\.(?:select|update|delete|execute)\(/

/**
 * Exported functions of a store that read or change rows of an organization's table and do not name the organization.
 * Rows that are inserted carry it.
 */
export function unscopedFunctions(text: string, tables: readonly string[]): string[] {
  const table = new RegExp(`\\b(?:${tables.join('|')})\\b`)
  return [...text.matchAll(exportedFunction)]
    .filter(([body]) => table.test(body) && changesOrReads.test(body) && !namesOrganization.test(body))
    .map(([, name = '']) => name)
}
