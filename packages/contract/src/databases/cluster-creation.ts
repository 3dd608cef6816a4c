/** CloudNativePG archives its WAL at least so often, unless `archive_timeout` of a Cluster says otherwise. */
export const clusterArchiveSeconds = 300

const clusterNeedsTarget =
  'CloudNativePG keeps backups in a bucket: choose a backup target, or leave the backups out.'

const clusterArchivesAlways =
  'CloudNativePG archives the changes wherever it keeps backups: this cannot be switched off.'

/** Why pods cannot back up to a target, as a sentence; undefined where nothing is known against it. */
export function clusterTargetProblem({
  name,
  endpoint,
}: {
  name: string
  endpoint: string | null
}): string | undefined {
  if (endpoint === null || !URL.canParse(endpoint)) return undefined
  const { hostname } = new URL(endpoint)
  return /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname)
    ? `The target "${name}" is at ${hostname}, which is another machine for each pod. Choose a target that the cluster reaches.`
    : undefined
}

type Policy = { targetId: string | null; pitr: boolean }

/** What of a backup policy CloudNativePG cannot keep, by its field. */
function clusterPolicyProblems({ targetId, pitr }: Policy): Record<string, string> {
  return {
    ...(targetId === null && { targetId: clusterNeedsTarget }),
    ...(!pitr && { pitr: clusterArchivesAlways }),
  }
}

/** What can be installed in a new database on a cluster: every image of CloudNativePG from PostgreSQL 14 on brings it. */
export const clusterExtensions: readonly { name: string; about: string }[] = [
  ['amcheck', 'Checks tables and indexes for damage'],
  ['bloom', 'Indexes for many columns that are compared for equality'],
  ['btree_gin', 'GIN indexes of common types'],
  ['btree_gist', 'GiST indexes of common types, for exclusion constraints'],
  ['citext', 'Text that is compared without regard to case'],
  ['cube', 'Cubes of any number of dimensions'],
  ['dict_int', 'A dictionary for numbers in full-text search'],
  ['earthdistance', 'Distances on the surface of the Earth'],
  ['fuzzystrmatch', 'Similarity and distance of words'],
  ['hstore', 'Sets of keys and values'],
  ['intarray', 'Functions and indexes for arrays of integers'],
  ['isn', 'ISBN, ISSN, EAN13 and other product numbers'],
  ['lo', 'Removal of large objects with their rows'],
  ['ltree', 'Labels in a tree'],
  ['pg_buffercache', 'What the shared buffers hold'],
  ['pg_prewarm', 'Loads tables into memory'],
  ['pg_trgm', 'Similarity of text by trigrams, and indexes for it'],
  ['pg_visibility', 'The visibility map of tables'],
  ['pgcrypto', 'Hashes and encryption'],
  ['pgrowlocks', 'Which rows are locked'],
  ['pgstattuple', 'Dead rows and free room of tables'],
  ['postgres_fdw', 'Tables of other PostgreSQL servers'],
  ['seg', 'Intervals of measured values'],
  ['tablefunc', 'Crosstabs and other functions that return tables'],
  ['tsm_system_rows', 'Samples of a number of rows'],
  ['tsm_system_time', 'Samples of what is read in a time'],
  ['unaccent', 'Text without accents in full-text search'],
  ['uuid-ossp', 'UUIDs of all versions'],
  ['vector', 'Vectors and their nearest neighbours (pgvector)'],
].map(([name = '', about = '']) => ({ name, about }))

/** Why an extension cannot be installed with a new database on a cluster, or undefined. */
export function clusterExtensionProblem(name: string): string | undefined {
  return clusterExtensions.some((each) => each.name === name)
    ? undefined
    : `"${name}" is not among the extensions that each image of CloudNativePG brings. Install it once the database is there.`
}

/** What is wrong with what a database on a cluster is to be created with, each with the path of its field. */
export function clusterCreationProblems({
  backups,
  extensions = [],
}: {
  backups?: Policy | undefined
  extensions?: readonly string[] | undefined
}): { path: (string | number)[]; message: string }[] {
  const ofPolicy = Object.entries(backups ? clusterPolicyProblems(backups) : {})
  return [
    ...ofPolicy.map(([field, message]) => ({ path: ['backups', field], message })),
    ...extensions.flatMap((name, index) => {
      const message = clusterExtensionProblem(name)
      return message === undefined ? [] : [{ path: ['extensions', index], message }]
    }),
  ]
}
