import { entityOf, entityTypes, type EntityType } from '@bey/contract/base/entity-table'
import type { MeasuredType } from '@bey/contract/metrics/measured'

type EntityTable = {
  name: string
  /** The column of its id. Default: `id`. */
  id?: string
  /** How a row is called: an SQL expression over the row `t`. */
  label: string
  /** When it was deleted, where a deleted row stays. */
  deletedAt?: string
}

/** Types that are not kept in the table of their plural, or whose rows are not called by `name`. */
const others: { [T in EntityType]?: EntityTable } = {
  cluster: { name: 'clusters', label: 't.title', deletedAt: 't.deleted_at' },
  database: { name: 'databases', label: 't.name', deletedAt: 't.deleted_at' },
  run: { name: 'workflow_runs', label: '(select w.name from workflows w where w.id = t.workflow_id)' },
  error: { name: 'error_groups', label: 't.message' },
  member: {
    name: 'memberships',
    id: 'user_id',
    label: '(select u.name from users u where u.id = t.user_id)',
  },
  annotation: { name: 'annotations', label: 't.component_name' },
}

/** Where each type of entity is kept. Each table has `organization_id`. */
export const entityTables = Object.fromEntries(
  entityTypes.map((type) => [type, others[type] ?? tableOfPlural(type)]),
  // The keys are the types.
) as Readonly<Record<EntityType, EntityTable>>

/** Where each type of thing is kept that metrics are of. Each has `organization_id`. */
export const measuredTables: Readonly<Record<MeasuredType, EntityTable>> = {
  ...entityTables,
  organization: {
    name: '(select o.id, o.id as organization_id, o.name from organizations o)',
    label: 't.name',
  },
}

function tableOfPlural(type: EntityType): EntityTable {
  return { name: entityOf(type).plural.toLowerCase().replaceAll(' ', '_'), label: 't.name' }
}

/** Type of a table's ids in SQL. */
export const sqlIdType = (type: EntityType) => (entityOf(type).idKind === 'number' ? 'int' : 'uuid')

const idOf = (type: EntityType) => `id.${sqlIdType(type)}_id`

const typesOf = (sqlType: string) =>
  entityTypes
    .filter((type) => sqlIdType(type) === sqlType)
    .map((type) => `'${type}'`)
    .join(', ')

/** A value of the row that the subject is, found by a subquery of its own type alone. */
const ofSubject = (table: string, valueOf: (table: EntityTable) => string | undefined) =>
  entityTypes
    .flatMap((type) => {
      const value = valueOf(entityTables[type])
      const { name, id = 'id' } = entityTables[type]
      return value === undefined
        ? []
        : [
            `when ${table}.subject_type = '${type}' then (select ${value} from ${name} t where t.${id} = ${idOf(type)})`,
          ]
    })
    .join(' ')

/** What a row of `table` (runs, notifications) is about, as `EntityRef`; null where that is nothing. */
export const subjectRef = (table: string) => `case when ${table}.subject_id is not null
  then json_build_object('type', ${table}.subject_type, 'id', ${table}.subject_id) end`

/**
 * A lateral join that yields `subject.name` and `subject.is_gone` of what the rows of `table` (runs, notifications)
 * are about; null where that is nothing or unknown. `offset 0` keeps the casts, which can fail and so could tell of
 * rows, out of the comparison with the tables' ids: row-level security would else not let that use their indexes, and
 * read every row instead.
 */
export const subjectOf = (table: string) => `lateral (
  select case ${ofSubject(table, ({ label }) => label)} end as name,
    case ${ofSubject(table, ({ deletedAt }) => deletedAt && `${deletedAt} is not null`)} else false end as is_gone
  from (
    select case when ${table}.subject_type in (${typesOf('int')}) then ${table}.subject_id::int end as int_id,
      case when ${table}.subject_type in (${typesOf('uuid')}) then ${table}.subject_id::uuid end as uuid_id offset 0
  ) id
) subject`
