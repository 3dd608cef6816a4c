// The least that a list of 50 costs: one query on a pool and one Fastify route with a response schema, compressed as the
// product does. Started by http.ts.
import { createRequire } from 'node:module'
import type * as Compress from '@fastify/compress'
import type * as Fastify from 'fastify'
import type * as Pg from 'pg'
import { join } from 'node:path'
import { compression } from '../packages/server/src/platform/http/compression.ts'
import { root } from '../tools/source-files.ts'

// Fastify and pg belong to the server's workspace.
const require = createRequire(join(root, 'packages/server/package.json'))
const { fastify } = require('fastify') as typeof Fastify
const { Pool } = require('pg') as typeof Pg
const { fastifyCompress } = require('@fastify/compress') as typeof Compress

const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const app = fastify()
await app.register(fastifyCompress, compression)
const text = { type: 'string' }
const row = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    title: text,
    status: text,
    pending_operations: { type: 'integer' },
    provider: text,
    region: text,
    version: text,
    node_groups: {
      type: 'array',
      items: { type: 'object', properties: { name: text, count: { type: 'integer' } } },
    },
    error: { type: ['string', 'null'] },
    created_at: text,
    updated_at: text,
  },
}
const response = { 200: { type: 'object', properties: { clusters: { type: 'array', items: row } } } }

app.get('/clusters', { schema: { response } }, async () => {
  const { rows } = await pool.query({
    name: 'clusters',
    text: `select id, title, status, pending_operations, provider, region, version, node_groups, error, created_at, updated_at
           from clusters where organization_id = $1 and deleted_at is null order by created_at desc, id desc limit 50`,
    values: [Number(process.env['ORGANIZATION_ID'])],
  })
  return { clusters: rows }
})
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
