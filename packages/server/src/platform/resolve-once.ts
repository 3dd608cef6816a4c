import { registerHooks, type ResolveFnOutput } from 'node:module'

// Imported for its effect, before whatever loads many files. Node resolves a package anew for each file that imports it,
// looks for the package.json of each file, and parses the exports of that package.json each time: with the 180 kB of
// drizzle-orm, and some 1,900 files of Bey's own, that is a third of the processor time of a start.
const resolved = new Map<string, ResolveFnOutput>()
const ownPackage = /^file:.*\/packages\/[^/]+\/(?!.*\/node_modules\/)/
/** Packages whose `.js` files are modules that name each other by relative paths; both stand in their package.json. */
const packageOfModules = /\/node_modules\/drizzle-orm\/(?!.*\/node_modules\/)/

registerHooks({
  resolve(specifier, context, nextResolve) {
    const importer = context.parentURL ?? ''
    const ownFiles = ownPackage.exec(importer)?.[0]
    const isRelative = specifier.startsWith('./') || specifier.startsWith('../')
    if (isRelative && ownFiles !== undefined && specifier.endsWith('.ts'))
      return { url: new URL(specifier, importer).href, format: 'module-typescript', shortCircuit: true }
    if (isRelative && specifier.endsWith('.js') && packageOfModules.test(importer))
      return { url: new URL(specifier, importer).href, format: 'module', shortCircuit: true }
    if (ownFiles === undefined || /^[./]|^[a-z]+:/.test(specifier)) return nextResolve(specifier, context)
    // One name is one file for all importers of a package that ask in the same way.
    const key = JSON.stringify([ownFiles, specifier, context.conditions, context.importAttributes])
    const known = resolved.get(key)
    if (known !== undefined) return known
    const found = { ...nextResolve(specifier, context), shortCircuit: true }
    resolved.set(key, found)
    return found
  },
})
