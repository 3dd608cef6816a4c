declare module 'virtual:changelog' {
  import type { Release } from './lib/changelog.ts'

  /** The project's CHANGELOG.md as data; see `build/changelog.ts`. */
  export const releases: readonly Release[]
}
