import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  outputDir: '../test-results',
  // Each has a server of its own. Tests of two workers keep 1.4 of two cores busy, for a third of their time they wait.
  workers: 3,
  // Bounds for what never comes, not for speed: a busy machine takes several times as long as a quiet one.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ...(process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ? ([['json']] as const) : [])],
  use: {
    actionTimeout: 30_000,
    launchOptions: {
      executablePath: process.env['BEY_CHROMIUM'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A page lives for seconds: optimizing its code takes more processor time than the optimized code saves, and a
        // larger young generation of the heap is collected less often.
        '--js-flags=--no-maglev --no-turbofan --min-semi-space-size=16',
      ],
    },
    viewport: { width: 1440, height: 900 },
    // Each frame of an animation is drawn by the processor: a fifth of the time of a test is that of pulses and spinners.
    reducedMotion: 'reduce',
    // Recording takes a fifth of the time; `--trace retain-on-failure` where a failure needs it.
    trace: 'off',
  },
})
