import { createRequire } from 'node:module'
import { join } from 'node:path'
import type Pg from 'pg'

import { root } from '../tools/source-files.ts'

// The driver belongs to the server's workspace.
const require = createRequire(join(root, 'packages/server/package.json'))
const { Client } = require('pg') as typeof Pg

export type Statements = { statements: number; commits: number }

const counted: Statements = { statements: 0, commits: 0 }
let isCounting = false

/** Statements and commits that this process has sent so far. They do not depend on how quick or busy a machine is. */
export function countStatements(): Statements {
  if (!isCounting) count()
  return { ...counted }
}

function count(): void {
  isCounting = true
  const send = Client.prototype.query
  Client.prototype.query = function counting(this: Pg.Client, ...values: unknown[]) {
    counted.statements += 1
    if (/^commit/i.test(textOf(values[0]))) counted.commits += 1
    return Reflect.apply(send, this, values) as never
  }
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : ''
}
