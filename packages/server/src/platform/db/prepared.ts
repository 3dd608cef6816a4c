import type { Db } from './transaction.ts'

/**
 * Builds a query once per connection instead of once per call, for hot paths: a drizzle select costs 100 µs to
 * build and 5 to run again. Values come in through `sql.placeholder`.
 *
 *   const clusterById = prepared('cluster_by_id', (db) => db.select(…).where(eq(clusters.id, sql.placeholder('id'))))
 *   await clusterById(db).execute({ id: 7 })
 *
 * `name` names the prepared statement: unique in the server, one name for one text.
 */
export function prepared<Query>(
  name: string,
  build: (db: Db) => { prepare(name: string): Query },
): (db: Db) => Query {
  const built = new WeakMap<Db, Query>()
  return (db) => {
    let query = built.get(db)
    if (query === undefined) {
      query = build(db).prepare(name)
      built.set(db, query)
    }
    return query
  }
}
