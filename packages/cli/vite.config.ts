import { hash } from 'node:crypto'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'
import { commandsOfContract } from './build/commands-plugin.ts'
import { version } from './src/session.ts'

/**
 * One file for Node 24, without anything to install. It stands among the files of the console, so that every server offers
 * the command line that fits it: `/cli/bey.mjs`, `/cli/build.json` with its checksum, and `/cli/commands.md`.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [commandsOfContract(), checksum()],
  build: {
    ssr: 'src/main.ts',
    outDir: '../console/dist/cli',
    emptyOutDir: true,
    target: 'node24',
    minify: true,
    rolldownOptions: {
      // Their indexes export far more than a command needs, and evaluating it would cost every start.
      treeshake: {
        moduleSideEffects: [{ test: /[\\/]packages[\\/](client|contract)[\\/]/, sideEffects: false }],
      },
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
