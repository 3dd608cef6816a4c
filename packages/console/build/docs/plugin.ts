import type { Plugin } from 'vite'
import { buildDocs, documentFiles } from './build-docs.ts'
import type { BuiltDocs } from './build-docs.ts'

const contentsName = 'virtual:docs'
const passagesName = 'virtual:docs/passages'
const pageName = 'virtual:docs/page/'

/** The documentation in `docs/` as data, read while the console is built: its contents, each page, and what is searched. */
export function docs(): Plugin {
  let built: BuiltDocs | undefined
  return {
    name: 'bey:docs',
    buildStart() {
      built = undefined
    },
    watchChange() {
      built = undefined
    },
    resolveId: (id) => (id === contentsName || id.startsWith(`${contentsName}/`) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${contentsName}`)) return undefined
      built ??= buildDocs()
      for (const file of documentFiles()) this.addWatchFile(file)
      const name = id.slice(1)
      if (name === contentsName) return contentsModule(built)
      if (name === passagesName) return `export const passages = ${JSON.stringify(built.passages)}`
      return `export const blocks = ${JSON.stringify(built.blocks.get(name.slice(pageName.length)) ?? [])}`
    },
  }
}

/** The page of each address in a chunk of its own, read when it is opened. */
function contentsModule({ sections, blocks }: BuiltDocs): string {
  const loaders = [...blocks.keys()].map(
    (slug) => `  ${JSON.stringify(slug)}: () => import(${JSON.stringify(`${pageName}${slug}`)}),`,
  )
  return `export const sections = ${JSON.stringify(sections)}\nexport const loaders = {\n${loaders.join('\n')}\n}\n`
}
