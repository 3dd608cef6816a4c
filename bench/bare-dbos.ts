import { createRequire } from 'node:module'
import { join } from 'node:path'
import type pg from 'pg'
import type * as Sdk from '@dbos-inc/dbos-sdk'

import { uuidv7 } from '../packages/server/src/platform/crypto/uuid.ts'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import { root } from '../tools/source-files.ts'

// DBOS belongs to the server's workspace.
const require = createRequire(join(root, 'packages/server/package.json'))
export const { DBOS, DBOSClient } = require('@dbos-inc/dbos-sdk') as typeof Sdk

/** `plain`: as node-postgres is used by anybody. `pipelined`: prepared statements, all of a transaction in one packet. */
export type Transport = 'plain' | 'pipelined'

type Statement = [name: string, text: string, values: unknown[]]

const texts = {
  run: `insert into bare.runs (id, status, input) values ($1, 'queued', '{}')`,
  steps: `insert into bare.steps (id, run_id, key, name, status) select unnest($1::uuid[]), $2, unnest($3::text[]), unnest($3::text[]), 'pending'`,
  beginRun: `update bare.runs set status = 'running', started_at = now() where id = $1`,
  beginStep: `update bare.steps set status = 'running', started_at = now(), attempt = 1 where id = $1`,
  beginAttempt: `insert into bare.attempts (step_id, attempt, status, executor, started_at) values ($1, 1, 'running', 'bare', now())`,
  count: `update bare.runs set log_count = log_count + 1 where id = $1`,
  log: `insert into bare.logs (run_id, seq, step_id, message) values ($1, $2, $3, $4)`,
  endStep: `update bare.steps set status = 'succeeded', finished_at = now(), output = '{}' where id = $1`,
  endAttempt: `update bare.attempts set status = 'succeeded', finished_at = now() where step_id = $1 and attempt = 1`,
  endRun: `update bare.runs set status = 'completed', finished_at = now(), output = '{}' where id = $1`,
} as const

/**
 * What anybody would write on DBOS who wants a run, its steps, their attempts and log lines in tables: one transaction to
 * make and begin it, one per step. The same rows as the service writes, of the same width, but without tenants,
 * notifications, cancel, fencing or takeover.
 */
export async function openBare(database: Database, transport: Transport, steps: readonly string[]) {
  await database.ownerPool.query(`
    create schema if not exists bare;
    create table if not exists bare.runs (id uuid primary key, status text, input jsonb, output jsonb, log_count int not null default 0, started_at timestamptz, finished_at timestamptz, queued_at timestamptz not null default now());
    create table if not exists bare.steps (id uuid primary key, run_id uuid not null references bare.runs, key text, name text, status text, attempt int not null default 0, output jsonb, started_at timestamptz, finished_at timestamptz, unique (run_id, key));
    create table if not exists bare.attempts (step_id uuid not null references bare.steps, attempt int, status text, executor text, started_at timestamptz, finished_at timestamptz, error jsonb, primary key (step_id, attempt));
    create table if not exists bare.logs (run_id uuid not null references bare.runs, seq int, step_id uuid references bare.steps, at timestamptz not null default now(), message text, primary key (run_id, seq));
    grant usage on schema bare to bey_app;
    grant all on all tables in schema bare to bey_app`)
  const transaction = transport === 'plain' ? plain(database.ownerPool) : pipelined(database.pool)

  async function bareRun(runId: string): Promise<void> {
    const ids = steps.map(() => uuidv7())
    const statement = (name: keyof typeof texts, ...values: unknown[]): Statement => [
      name,
      texts[name],
      values,
    ]
    const beginning = (id: string | undefined) => [statement('beginStep', id), statement('beginAttempt', id)]
    await DBOS.runStep(
      () =>
        transaction([
          statement('run', runId),
          statement('steps', ids, runId, steps),
          statement('beginRun', runId),
          ...beginning(ids[0]),
        ]),
      { name: 'begin' },
    )
    for (const [index, key] of steps.entries()) {
      const id = ids[index]
      const next = ids[index + 1]
      await DBOS.runStep(
        () =>
          transaction([
            statement('count', runId),
            statement('log', runId, index + 1, id, `Doing ${key}.`),
            statement('endStep', id),
            statement('endAttempt', id),
            ...(next === undefined ? [statement('endRun', runId)] : beginning(next)),
          ]),
        { name: key },
      )
    }
  }

  const workflow = DBOS.registerWorkflow(bareRun, { name: 'bare' })
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: database.url,
    systemDatabasePool: database.ownerPool,
    executorID: 'bare',
    applicationVersion: 'bare',
    useListenNotify: false,
    logger: { info: () => undefined, debug: () => undefined, warn: () => undefined, error: () => undefined },
  })
  await DBOS.launch()
  return {
    /** Resolves when the run is over. */
    async execute(): Promise<void> {
      const id = uuidv7()
      const handle = await DBOS.startWorkflow(workflow, { workflowID: id })(id)
      await handle.getResult()
    },
    close: () => DBOS.shutdown({ deregister: true }),
  }
}

function plain(pool: pg.Pool) {
  return async (statements: readonly Statement[]): Promise<void> => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      for (const [, text, values] of statements) await client.query(text, values)
      await client.query('commit')
    } finally {
      client.release()
    }
  }
}

function pipelined(pool: pg.Pool) {
  return async (statements: readonly Statement[]): Promise<void> => {
    const client = await pool.connect()
    try {
      await Promise.all([
        client.query('begin'),
        ...statements.map(([name, text, values]) => client.query({ name: `bare_${name}`, text, values })),
        client.query('commit'),
      ])
    } finally {
      client.release()
    }
  }
}
