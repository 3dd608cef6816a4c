/**
 * A lateral join that yields `subject.cluster_id`: which cluster the rows of `table` (runs, notifications) are about,
 * or null. `offset 0` keeps the cast, which can fail and so could tell of rows, out of the comparison with
 * `clusters.id`: row-level security would else not let that use the index, and read every cluster instead.
 */
export const subjectCluster = (table: string) => `lateral (
  select case when ${table}.subject_type = 'cluster' then ${table}.subject_id::int end as cluster_id offset 0
) subject`
