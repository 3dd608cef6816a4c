import { readFileSync } from 'node:fs'
import { permissionTable } from '@bey/contract/base/permissions'

/** Markdown of the pages that are made of what the product is made of. */
export const madePages: Readonly<Record<string, (root: URL) => string>> = {
  'reference/permissions': permissions,
  'operation/settings': settings,
}

/** Each permission with the least role that has it: OWNER has all of ADMIN, and so on down to VIEWER. */
function permissions(): string {
  const rows = Object.entries(permissionTable).map(([name, role]) => `| \`${name}\` | ${role} |`)
  return `# Permissions

What a member may do follows from their role; an API key holds some of them by name. Each role may do all that the one below it may:
OWNER, ADMIN, MEMBER, VIEWER. A page says of a button that is disabled which permission is missing.

| permission | from which role |
|---|---|
${rows.join('\n')}
`
}

/** The section of README.md, which a test holds against what the server reads. */
function settings(root: URL): string {
  const readme = readFileSync(new URL('README.md', root), 'utf8')
  const section = /^## Configuration\n([\s\S]*?)(?=^## )/m.exec(readme)?.[1]
  if (section === undefined) throw new Error('README.md has no section "Configuration".')
  return `# Settings\n${section}`
}
