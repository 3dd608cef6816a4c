/** Whether a file may reach rows of every tenant: through `asSystem`, or through the owner's connections themselves. */
export function reachesAllTenants(text: string): boolean {
  return /\.asSystem\(|\bownerPool\b/.test(text)
}

/**
 * What a file takes from the process, however it comes by it: `env` for `process.env` and for
 * `import { env } from 'node:process'`, `*` where it takes the whole. `nextTick` reads and changes nothing.
 */
export function takesOfProcess(text: string): string[] {
  const names = [...text.matchAll(/(?<![\w./])(?:globalThis\.)?process\??\.(\w+)/g)].map(
    ([, name]) => name ?? '',
  )
  const imports = /import\s+(?!type\b)([^'";]+?)\s+from\s+['"](?:node:)?process['"]/g
  for (const [, clause = ''] of text.matchAll(imports)) {
    const braces = /\{([^}]*)\}/.exec(clause)?.[1]
    if (braces === undefined || /^\w/.test(clause)) names.push('*')
    for (const part of (braces ?? '').split(',')) names.push(part.trim().split(/\s+as\s+/)[0] ?? '')
  }
  return [...new Set(names)].filter((name) => name !== '' && name !== 'nextTick').toSorted()
}

/** Whether a file takes an advisory lock by itself: its number could be another's, and strangers would wait for each other. */
export function takesAdvisoryLock(text: string): boolean {
  return /\bpg_\w*advisory\w*\s*\(/i.test(text)
}
