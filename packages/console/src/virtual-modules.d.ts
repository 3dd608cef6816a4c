// An import within the declaration of a module may not be relative; the type of an import may.
// oxlint-disable typescript/consistent-type-imports

declare module 'virtual:changelog' {
  /** The project's CHANGELOG.md as data; see `build/changelog.ts`. */
  export const releases: readonly import('./lib/changelog.ts').Release[]
}

declare module 'virtual:docs' {
  /** The project's `docs/` in order; see `build/docs/contents.ts`. */
  export const sections: readonly import('./lib/docs.ts').DocSection[]
  /** Loads a page by its address below `/docs/`. */
  export const loaders: Readonly<
    Record<string, () => Promise<{ blocks: readonly import('./lib/docs.ts').Block[] }>>
  >
}

declare module 'virtual:docs/passages' {
  /** Every passage of the documentation, to be searched. */
  export const passages: readonly import('./lib/docs.ts').DocPassage[]
}
