import { hash } from 'node:crypto'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'
import { version } from './src/session.ts'

/**
 * One file for Node 24, without anything to install. It stands among the files of the console, so that every server offers
 * the command line that fits it: `/cli/bey.mjs`, and `/cli/build.json` with its checksum.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [checksum()],
  build: {
    ssr: 'src/main.ts',
    outDir: '../console/dist/cli',
    emptyOutDir: true,
    target: 'node24',
    minify: true,
    rolldownOptions: {
      output: { entryFileNames: 'bey.mjs', codeSplitting: false, banner: '#!/usr/bin/env node' },
    },
  },
  ssr: { noExternal: true },
})

/** Writes what the page of the command line shows of the file. */
function checksum(): Plugin {
  return {
    name: 'checksum',
    generateBundle: {
      // After the banner is there, and everything else that changes the file.
      order: 'post',
      handler(_options, bundle) {
        const file = bundle['bey.mjs']
        if (file?.type !== 'chunk') return
        const build = { version, bytes: Buffer.byteLength(file.code), sha256: hash('sha256', file.code) }
        this.emitFile({ type: 'asset', fileName: 'build.json', source: `${JSON.stringify(build)}\n` })
      },
    },
  }
}
