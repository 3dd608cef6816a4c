import type pg from 'pg'

import { connectionOf, type Db } from './transaction.ts'

/**
 * Builds a query once instead of at every call, for hot paths: a drizzle select costs 100 µs to build and 5 to
 * run again. Values come in through `sql.placeholder`.
 *
 *   const clusterById = prepared('cluster_by_id', (db) => db.select(…).where(eq(clusters.id, sql.placeholder('id'))))
 *   await clusterById(db).execute({ id: 7 })
 *
 * `name` names the prepared statement: unique in the server, one name for one text.
 */
export function prepared<Query extends object>(
  name: string,
  build: (db: Db) => { prepare(name: string): Query },
): (db: Db) => Query {
  let built: Query | undefined
  return (db) => {
    built ??= build(db).prepare(name)
    // drizzle binds a prepared query to the connection that built it; this one runs on the caller's.
    return Object.assign(Object.create(built) as Query, { client: connectionOf(db) })
  }
}

/**
 * The same for a statement that the query builder cannot say, such as one whose parts change several tables.
 * Values stand in it as `$1`, `$2` …; rows come as the driver gives them.
 */
export function statement<Row extends pg.QueryResultRow>(
  name: string,
  text: string,
): (db: Db, values: unknown[]) => Promise<Row[]> {
  return async (db, values) => (await connectionOf(db).query<Row>({ name, text, values })).rows
}
