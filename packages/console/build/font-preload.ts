import type { Plugin } from 'vite'

/** Preloads the one text font, whose address is only known after hashing. */
export function fontPreload(): Plugin {
  return {
    name: 'bey:font-preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
        if (!font) throw new Error('The text font is missing from the bundle.')
        const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: true }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}
