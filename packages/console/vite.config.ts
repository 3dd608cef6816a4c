import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { fontPreload } from './build/font-preload.ts'
import { themeStyle } from './build/theme-style.ts'

const api = process.env['BEY_DEV_API'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind(), themeStyle(), fontPreload()],
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // The first paint needs one style sheet, not one per route.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      treeshake: {
        // Their indexes then do not tie to the first page what only a later one needs, such as the live socket.
        moduleSideEffects: [{ test: /[\\/]packages[\\/](client|contract)[\\/]/, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          groups: [
            // What every page needs, apart from our own code, so that a release does not invalidate it.
            {
              name: 'framework',
              test: /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](react-router|router-core|history|react-query|query-core|react-store|store))[\\/]/,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': api,
      '/health': api,
      '/version.json': api,
      '/ws': { target: api.replace(/^http/, 'ws'), ws: true },
    },
  },
})
