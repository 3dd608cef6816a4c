#!/usr/bin/env node
// JavaScript, so that nothing has to be stripped of its types before the cache of compiled code is there: the library
// that does it takes 14 MB for as long as the process lives.
import * as module from 'node:module'

const oldest = 24

if (Number.parseInt(process.versions.node, 10) < oldest) {
  process.stderr.write(`The sandbox needs Node ${oldest} or later; this is ${process.version}.\n`)
  process.exit(1)
}
// Compiled once, the code is read from the cache by every later sandbox: half the memory and half the time to start.
module.enableCompileCache()
await import('./command.ts')
module.flushCompileCache()
