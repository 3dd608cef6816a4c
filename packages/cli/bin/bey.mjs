#!/usr/bin/env node
// Plain JavaScript, so that an older Node says what is missing.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(`bey needs Node 24 or newer, and this is ${process.version}.`)
  process.exit(1)
}
await import('../src/main.ts')
