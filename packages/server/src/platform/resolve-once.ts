import { registerHooks, type ResolveFnOutput } from 'node:module'

// Imported for its effect, before whatever loads many files. Node resolves a package anew for each file that imports it,
// and parses the exports of its package.json each time: with the 180 kB of drizzle-orm in 300 files that is a third of
// the processor time of a start.
const resolved = new Map<string, ResolveFnOutput>()
const ownPackage = /^file:.*\/packages\/[^/]+\/(?!.*\/node_modules\/)/

registerHooks({
  resolve(specifier, context, nextResolve) {
    const importer = ownPackage.exec(context.parentURL ?? '')?.[0]
    if (importer === undefined || /^[./]|^[a-z]+:/.test(specifier)) return nextResolve(specifier, context)
    // One name is one file for all importers of a package that ask in the same way.
    const key = JSON.stringify([importer, specifier, context.conditions, context.importAttributes])
    const known = resolved.get(key)
    if (known !== undefined) return known
    const found = { ...nextResolve(specifier, context), shortCircuit: true }
    resolved.set(key, found)
    return found
  },
})
